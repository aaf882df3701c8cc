"""Lists the open pull requests of a repository with PyGithub and, if an issue is named, leaves a comment on it.

    squad-rate exec --agent reviewer -- python3 pull_requests.py acme/app 12

PyGithub follows the addresses that answers hold, and refuses those of another server than it was told of. At
SQUAD_RATE_ROOTED_API_URL they lead back to the proxy.
"""

import os
import sys

from github import Github, GithubException

API = os.environ.get("SQUAD_RATE_ROOTED_API_URL") or os.environ.get("GITHUB_API_URL") or "https://api.github.com"
TOKEN = os.environ.get("GH_TOKEN") or os.environ.get("GITHUB_TOKEN")


def list_pull_requests(repository):
    for pull in repository.get_pulls(state="open", sort="created"):
        # What a list leaves out, PyGithub asks for at the object's own address: here the name of a user.
        print(f"#{pull.number} {pull.title} ({pull.user.name or pull.user.login})")


def leave_comment(repository, number):
    issue = repository.get_issue(number)
    comment = issue.create_comment(f"{issue.title}: seen.")
    print(f"{comment.user.login} on #{number}: {comment.body}")


def main(name, number=None):
    repository = Github(TOKEN, base_url=API, per_page=5, timeout=90).get_repo(name)
    list_pull_requests(repository)
    if number is not None:
        leave_comment(repository, int(number))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except GithubException as error:
        if error.status == 429:
            # Refused by GitHub or by the squad, which says when to come back.
            sys.exit(f"come back in {error.headers['retry-after']} s: {error.data['message']}")
        sys.exit(f"{type(error).__name__}: {error}")
