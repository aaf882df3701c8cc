import { createSimulatedGitHub, populateWorld } from "octokit-plugin-squad-rate/sim";
import { TOKEN, UNLIMITED } from "./world.js";

/** The simulated GitHub in a process of its own, without limits; tells its address and ends with its parent. */
const github = createSimulatedGitHub({
  secondary: false,
  logLimit: 0,
  limits: { core: { limit: UNLIMITED }, graphql: { limit: UNLIMITED } },
});
github.world.addToken(TOKEN, "mona");
populateWorld(github.world, { owner: "acme", pullRequests: 25 });
const { url } = await github.listen();
process.send?.({ url });
process.on("disconnect", () => process.exit(0));
