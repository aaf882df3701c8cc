// Asks whoever is at the terminal, as commands do, and prints the answer.
import { processContext } from "../../../src/cli/process-context.js";

const { confirm } = processContext();
console.log(confirm === undefined ? "nobody to ask" : `answer: ${await confirm("Sure? [y/N] ")}`);
