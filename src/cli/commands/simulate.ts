import { Command } from "commander";
import type { CommandContext } from "../context.js";

export function simulateCommand(_context: CommandContext): Command {
  return new Command("simulate").description("x");
}
