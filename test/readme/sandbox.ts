import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

/**
 * Loaded before a block of the README: gives it the environment that its reader has, and a simulated GitHub in place of
 * the real one. The words after `ts` in the block's first line are in README_BLOCK; `amber` leaves little quota. `~` is an
 * empty directory that goes when the block has ended.
 */
const TOKEN = "ghp_readme";
const APP_ID = 1_234;

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const github = createSimulatedGitHub();
const { world } = github;
world.addToken(TOKEN, "mona");
world.addRepository({ owner: "acme", name: "engine" });
world.addPullRequest({ owner: "acme", repo: "engine", title: "Add a gear" });
world.addPullRequest({ owner: "acme", repo: "engine", title: "Oil it" });
world.addIssue({ owner: "acme", repo: "engine", title: "It squeaks" });
world.addApp(APP_ID, { publicKey });
const installation = world.addInstallation(APP_ID, { account: "acme" });
if (process.env.README_BLOCK === "amber") github.consume(TOKEN, "core", 4_285);

const home = mkdtempSync(join(tmpdir(), "squad-rate-home-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));

globalThis.fetch = github.fetch;
Object.assign(process.env, {
  HOME: home,
  USERPROFILE: home,
  GITHUB_TOKEN: TOKEN,
  APP_ID: String(APP_ID),
  APP_PRIVATE_KEY: privateKey,
  INSTALLATION_ID: String(installation.id),
});
