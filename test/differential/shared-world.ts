import type { ObservedGitHub } from "./observed-github.js";

type Change = (github: ObservedGitHub, names: Names, serial: number) => void;

/** What the repositories are called by now; renames happen. */
interface Names {
  readonly hello: string;
  readonly moved: string;
}

/** Who is who: mona owns everything, hubot may see her secret, eve may not. */
export const USERS: readonly string[] = ["mona", "hubot", "eve"];

/** Fills the world. Returns how to make change number `index` behind everybody's back. */
export function populate(github: ObservedGitHub): (index: number, serial: number) => void {
  const { world, engine } = github;
  for (const login of USERS) world.addUser(login);
  const hello = world.addRepository({ owner: "mona", name: "hello" }).id;
  world.addRepository({ owner: "mona", name: "secret", private: true, visibleTo: ["hubot"] });
  const moved = world.addRepository({ owner: "mona", name: "old" }).id;
  world.renameRepository("mona", "old", "new");
  for (let number = 1; number <= 6; number++) world.addIssue({ ...HELLO, title: `Issue ${number}`, user: "hubot" });
  for (let number = 1; number <= 4; number++) world.addIssue({ owner: "mona", repo: "new", title: `Old ${number}` });
  for (let number = 1; number <= 2; number++) world.addIssue({ owner: "mona", repo: "secret", title: `Key ${number}` });
  for (let number = 1; number <= 2; number++) world.addComment({ ...HELLO, number: 1, body: `Comment ${number}` });
  world.addCheckRun({ ...HELLO, name: "build" });
  world.addCheckRun({ ...HELLO, name: "lint" });
  world.setFile("mona", "hello", "data.bin", new Uint8Array([0xef, 0xbb, 0xbf, 0, 0xff, 0xfe, 7]));
  world.star("hubot", "mona", "hello");
  world.star("eve", "mona", "hello");
  const nameOf = (id: number): string => engine.state.repositoriesById.get(id)?.name ?? "";
  return (index, serial) => {
    const change = CHANGES[index % CHANGES.length] as Change;
    change(github, { hello: nameOf(hello), moved: nameOf(moved) }, serial);
  };
}

const HELLO = { owner: "mona", repo: "hello" };

const CHANGES: readonly Change[] = [
  ({ world }, { hello }, n) => world.addIssue({ owner: "mona", repo: hello, title: `Behind ${n}` }),
  ({ world }, { hello }, n) => world.addIssue({ owner: "mona", repo: hello, title: `Behind ${n}`, user: "eve" }),
  ({ world }, { moved }, n) => world.addIssue({ owner: "mona", repo: moved, title: `Behind ${n}` }),
  ({ world }, _, n) => world.addIssue({ owner: "mona", repo: "secret", title: `Behind ${n}` }),
  ({ world }, { moved }, n) =>
    world.updateIssue({ owner: "mona", repo: moved, number: 1 + (n % 4) }, { state: n % 3 === 0 ? "open" : "closed" }),
  ({ world }, { hello }, n) =>
    world.updateIssue({ owner: "mona", repo: hello, number: 1 + (n % 6) }, { state: n % 3 === 0 ? "open" : "closed" }),
  ({ world }, { hello }, n) => world.addComment({ owner: "mona", repo: hello, number: 1, body: `Behind ${n}` }),
  ({ world }, { hello }, n) => world.updateRepository({ owner: "mona", repo: hello }, { description: `Behind ${n}` }),
  ({ world }, { hello }) => world.renameRepository("mona", hello, hello === "hello" ? "hola" : "hello"),
  ({ world }, _, n) => world.setCollaborator({ owner: "mona", repo: "secret" }, "eve", n % 2 === 0 ? "read" : null),
  ({ world }, _, n) => world.setCollaborator({ owner: "mona", repo: "secret" }, "hubot", n % 2 === 0 ? null : "write"),
  ({ world }, { hello }) => world.star("mona", "mona", hello),
  ({ world }, { hello }) => world.unstar("mona", "mona", hello),
  ({ world }, { hello }) => world.unstar("eve", "mona", hello),
  ({ world }, { hello }, n) => world.setFile("mona", hello, "README.md", `# Behind ${n}\n`),
  ({ world }, { hello }, n) => world.addLabel({ owner: "mona", repo: hello }, `behind-${n}`),
  ({ world }, { hello }, n) => world.addCheckRun({ owner: "mona", repo: hello, name: `check-${n}`, ref: "main" }),
];

/** How many changes {@link populate}'s function knows. */
export const CHANGE_COUNT: number = CHANGES.length;
