import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { hasCommand } from "../../../scripts/peers/command.ts";
import { provideDebianPackages } from "../../../scripts/peers/debian-package.ts";

const python = "/usr/bin/python3";

/** What a second implementation finds of a message: dkimpy, from Debian's python3-dkim. */
interface DkimpyVerdict {
  /** Of each DKIM-Signature, top to bottom: its selector, and whether it verifies. */
  dkim: { selector: string; isValid: boolean }[];
  /** The chain validation status of ARC: none, pass or fail. */
  arc: string;
  arcReason: string;
}

const program = `
import base64, json, sys
import dkim
given = json.load(sys.stdin)
message = base64.b64decode(given["message"])
records = {name.lower().rstrip("."): value for name, value in given["records"].items()}
def find(name, timeout=5):
    value = records.get(name.decode().lower().rstrip("."))
    return value.encode() if value else None
found = []
signer = dkim.DKIM(message)
for index, (name, value) in enumerate([h for h in signer.headers if h[0].lower() == b"dkim-signature"]):
    selector = ""
    try:
        selector = dkim.util.parse_tag_value(value)[b"s"].decode()
        valid = dkim.DKIM(message).verify(idx=index, dnsfunc=find)
    except (dkim.DKIMException, dkim.util.InvalidTagValueList, KeyError):
        valid = False
    found.append({"selector": selector, "isValid": bool(valid)})
cv, results, reason = dkim.arc_verify(message, dnsfunc=find)
print(json.dumps({"dkim": found, "arc": (cv or b"none").decode(), "arcReason": reason}))
`;

let provided: Promise<void> | undefined;

/** Installs it if it is absent. @throws Error saying what is missing and how to get it. */
export function provideDkimpy(): Promise<void> {
  provided ??= provideDebianPackages(["python3-dkim", "python3-nacl", "python3-dnspython"], () =>
    hasCommand(python, ["-c", "import dkim, nacl.signing, dns"]),
  );
  return provided;
}

/** @param records TXT records by name */
export async function verifyByDkimpy(
  message: Buffer,
  records: Readonly<Record<string, string>>,
): Promise<DkimpyVerdict> {
  await provideDkimpy();
  const child = spawn(python, ["-c", program], { stdio: ["pipe", "pipe", "pipe"] });
  const printed = Promise.all([buffer(child.stdout), text(child.stderr), once(child, "close")]);
  child.stdin.end(JSON.stringify({ message: message.toString("base64"), records }));
  const [output, complaint] = await printed;
  if (output.length === 0) throw new Error(`dkimpy failed: ${complaint}`);
  return JSON.parse(output.toString()) as DkimpyVerdict;
}
