// Lists the open pull requests of a repository with go-github and, if an issue is named, leaves a comment on it.
//
//	squad-rate exec --agent reviewer -- go run pull_requests.go acme/app 12
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/google/go-github/v48/github"
	"golang.org/x/oauth2"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, explain(err))
		os.Exit(1)
	}
}

// explain leaves out the address that go-github's own errors show: it holds a secret.
func explain(err error) string {
	var answered *github.ErrorResponse
	var failed *url.Error
	switch {
	case errors.As(err, &answered) && answered.Response.StatusCode == http.StatusTooManyRequests:
		// Refused by GitHub or by the squad, which says when to come back.
		return fmt.Sprintf("come back in %s s: %s", answered.Response.Header.Get("Retry-After"), answered.Message)
	case errors.As(err, &answered):
		return fmt.Sprintf("%s: %s", answered.Response.Status, answered.Message)
	case errors.As(err, &failed):
		return failed.Err.Error()
	default:
		return err.Error()
	}
}

func run(ctx context.Context, args []string) error {
	owner, name, _ := strings.Cut(args[0], "/")
	client, err := newClient(ctx)
	if err != nil {
		return err
	}
	if err := listPullRequests(ctx, client, owner, name); err != nil || len(args) < 2 {
		return err
	}
	number, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	return leaveComment(ctx, client, owner, name, number)
}

func listPullRequests(ctx context.Context, client *github.Client, owner, name string) error {
	options := &github.PullRequestListOptions{Sort: "created", ListOptions: github.ListOptions{PerPage: 5}}
	for {
		pulls, answer, err := client.PullRequests.List(ctx, owner, name, options)
		if err != nil {
			return err
		}
		for _, pull := range pulls {
			fmt.Printf("#%d %s (%s)\n", pull.GetNumber(), pull.GetTitle(), pull.GetUser().GetLogin())
		}
		if answer.NextPage == 0 {
			return nil
		}
		options.Page = answer.NextPage
	}
}

func leaveComment(ctx context.Context, client *github.Client, owner, name string, number int) error {
	issue, _, err := client.Issues.Get(ctx, owner, name, number)
	if err != nil {
		return err
	}
	body := issue.GetTitle() + ": seen."
	comment, _, err := client.Issues.CreateComment(ctx, owner, name, number, &github.IssueComment{Body: &body})
	if err != nil {
		return err
	}
	fmt.Printf("%s on #%d: %s\n", comment.GetUser().GetLogin(), number, comment.GetBody())
	return nil
}

// newClient asks GITHUB_API_URL, which squad-rate exec sets, or else GitHub itself.
func newClient(ctx context.Context) (*github.Client, error) {
	token := os.Getenv("GH_TOKEN")
	if token == "" {
		token = os.Getenv("GITHUB_TOKEN")
	}
	client := github.NewClient(oauth2.NewClient(ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token})))
	if api := os.Getenv("GITHUB_API_URL"); api != "" {
		base, err := url.Parse(strings.TrimSuffix(api, "/") + "/")
		if err != nil {
			return nil, err
		}
		client.BaseURL = base
	}
	return client, nil
}
