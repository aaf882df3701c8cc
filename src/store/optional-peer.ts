import { SquadRateError } from "../errors.js";

/**
 * Imports a package that is installed only where it is needed.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` that says what to install.
 */
export async function importPeer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new SquadRateError("SQUAD_RATE_STORE", `This store needs the package ${name}, which cannot be loaded.`, {
      cause,
      remedy: `Install it beside octokit-plugin-squad-rate: npm install ${name}`,
    });
  }
}
