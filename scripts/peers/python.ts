import { hasCommand } from "./command.ts";
import { provideDebianPackages } from "./debian-package.ts";

const python = "/usr/bin/python3";
const needed = "import sys, venv, ensurepip; assert sys.version_info >= (3, 11)";

/** The system's Python that can make virtual environments, from Debian's packages if it is absent. @returns its path */
export async function providePython(): Promise<string> {
  await provideDebianPackages(["python3", "python3-venv"], () => hasCommand(python, ["-c", needed]));
  return python;
}
