import { Refusal } from "../errors.ts";

/** Looks up whether what a request came with is still good. @throws Refusal once it is revoked; Outage where that cannot be told */
export type RequireInForce = () => Promise<void>;

type Piece = string | Buffer;

const recheckMs = 5_000;

/** The same, where an outage refuses nobody. */
export function sparingOutages(require: RequireInForce): RequireInForce {
  return async () => {
    try {
      await require();
    } catch (error) {
      if (error instanceof Refusal) throw error;
    }
  };
}

/** What a request came with, as its caller is known by. */
interface Credential {
  readonly accountId: string;
  readonly sessionId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly key?: { readonly id: string } | undefined;
}

interface Auth {
  requireInForce(asked: {
    accountId: string;
    sessionId: string | undefined;
    tokenId: string | undefined;
    keyId: string | undefined;
    scope: string;
    mayHaveExpired: boolean;
  }): Promise<unknown>;
}

/** For a download. What merely expires while it is sent does not end it. */
export function credentialInForce(credential: Credential, scope: string, auth: Auth): RequireInForce {
  const { accountId, sessionId, tokenId, key } = credential;
  const asked = { accountId, sessionId, tokenId, keyId: key?.id, scope, mayHaveExpired: true };
  return sparingOutages(async () => void (await auth.requireInForce(asked)));
}

/**
 * Hands a download on: one may take hours, and its credential is looked up again every few seconds.
 * @throws Refusal, which breaks the download off, once the credential is revoked; any error of the pieces
 */
export async function* whileInForce(
  pieces: AsyncIterable<Piece>,
  require: RequireInForce,
  everyMs = recheckMs,
): AsyncGenerator<Piece> {
  let lookedUpAt = performance.now();
  for await (const piece of pieces) {
    if (performance.now() - lookedUpAt >= everyMs) {
      await require();
      lookedUpAt = performance.now();
    }
    yield piece;
  }
}

/** Asks for page after page, each while the credential is in force. */
export function pagesWhileInForce(require: RequireInForce) {
  return async function* <Page, Cursor>(
    ask: (after?: Cursor) => Promise<Page>,
    next: (page: Page) => Cursor | undefined,
  ): AsyncGenerator<Page> {
    let after: Cursor | undefined;
    do {
      await require();
      const page = await ask(after);
      yield page;
      after = next(page);
    } while (after !== undefined);
  };
}
