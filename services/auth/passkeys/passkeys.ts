import { messageOf, Refusal } from "../../platform/errors.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { Requester } from "../accounts/account-lock.ts";
import { challengeLifetimeMs, type PasskeyChallenges } from "./challenges.ts";
import type { Passkey, PasskeyStore } from "./passkey-store.ts";

/** Ed25519, ES256 and RS256 (RFC 9053 section 2, RFC 8812 section 2): what authenticators in use have. */
const algorithms = [-8, -7, -257];

/** Loaded with the first passkey: 25 MiB that a process with none is without. */
const loadWebAuthn = () => import("@simplewebauthn/server");
const loadResponses = () => import("./responses.ts");

/** Whose passkey it was, and whether its authenticator knew who used it by a PIN, a finger or a face. */
interface PasskeyUse {
  accountId: string;
  /** What authenticators know it by, in base64url. */
  credentialId: string;
  isUserVerified: boolean;
}

/** Passkeys (WebAuthn Level 3) of the site at PUBLIC_URL: registered by who is signed in, and used to sign in. */
export class Passkeys {
  readonly #store: PasskeyStore;
  readonly #challenges: PasskeyChallenges;
  readonly #site: { name: string; expectedOrigin: string; expectedRPID: string };

  constructor(
    store: PasskeyStore,
    challenges: PasskeyChallenges,
    { PUBLIC_URL, SERVICE_NAME: name }: Pick<Settings, "PUBLIC_URL" | "SERVICE_NAME">,
  ) {
    this.#store = store;
    this.#challenges = challenges;
    const { origin: expectedOrigin, hostname: expectedRPID } = new URL(PUBLIC_URL);
    this.#site = { name, expectedOrigin, expectedRPID };
  }

  /** What `navigator.credentials.create` is to be given, as JSON. */
  async beginRegistration(account: { id: string; username: string }): Promise<string> {
    const { generateRegistrationOptions } = await loadWebAuthn();
    const options = await generateRegistrationOptions({
      rpName: this.#site.name,
      rpID: this.#site.expectedRPID,
      userName: account.username,
      userID: new Uint8Array(userHandleOf(account.id)),
      challenge: new Uint8Array(await this.#challenges.make(account.id)),
      timeout: challengeLifetimeMs,
      attestationType: "none",
      // An authenticator that has one of them need not make another.
      excludeCredentials: await this.#store.credentials(account.id),
      // It can be found without a username (section 4: discoverable credential).
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
      supportedAlgorithmIDs: algorithms,
    });
    return JSON.stringify(options);
  }

  /** Keeps what the authenticator made. @throws Refusal ValidationFailed, and as PasskeyStore.add */
  async finishRegistration(requester: Requester, responseJson: string, name: string): Promise<Passkey> {
    const { verifyRegistrationResponse } = await loadWebAuthn();
    const { registrationResponse } = await loadResponses();
    const { response, challenge } = orRefused(() => registrationResponse(responseJson), unusable);
    if (!(await this.#challenges.use(challenge, requester.accountId))) throw unusable("a challenge that is none");
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
      ...this.#site,
    }).catch(refusing(unusable));
    if (!registrationInfo) throw unusable("its attestation is not right");
    const { credential, credentialBackedUp: isBackedUp } = registrationInfo;
    return this.#store.add(requester, { ...credential, isBackedUp, name });
  }

  /** What `navigator.credentials.get` is to be given, as JSON. It names no account: the passkey will. */
  async beginSignIn(): Promise<string> {
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const options = await generateAuthenticationOptions({
      rpID: this.#site.expectedRPID,
      challenge: new Uint8Array(await this.#challenges.make()),
      timeout: challengeLifetimeMs,
      userVerification: "preferred",
    });
    return JSON.stringify(options);
  }

  /** The same for who is signed in, and is to prove it by one of the account's passkeys. */
  async beginProof(accountId: string): Promise<string> {
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const options = await generateAuthenticationOptions({
      rpID: this.#site.expectedRPID,
      challenge: new Uint8Array(await this.#challenges.make(accountId)),
      timeout: challengeLifetimeMs,
      allowCredentials: await this.#store.credentials(accountId),
      userVerification: "required",
    });
    return JSON.stringify(options);
  }

  /** Whose passkey has signed; that account may be disabled. @throws Refusal WrongPasskey, whatever is wrong with it */
  signIn(responseJson: string): Promise<PasskeyUse> {
    return this.#use(responseJson);
  }

  /** @throws Refusal FreshProofRequired, whatever is wrong with it: another account's passkey, or a user who was not verified */
  async prove(accountId: string, responseJson: string): Promise<void> {
    try {
      const use = await this.#use(responseJson, accountId);
      if (use.accountId !== accountId) throw wrongPasskey("the passkey of another account");
      if (!use.isUserVerified) throw wrongPasskey("its authenticator did not verify its user");
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "WrongPasskey") throw error;
      throw new Refusal("FreshProofRequired", {
        public: "This passkey was not accepted; try again, or give your password.",
        operator: error.operatorMessage ?? error.kind,
      });
    }
  }

  /** @param askedOf the account that was asked for one of its passkeys; undefined for a sign-in */
  async #use(responseJson: string, askedOf?: string): Promise<PasskeyUse> {
    const { verifyAuthenticationResponse } = await loadWebAuthn();
    const { authenticationResponse } = await loadResponses();
    const { response, challenge } = orRefused(() => authenticationResponse(responseJson), wrongPasskey);
    const isAsked = await this.#challenges.use(challenge, askedOf);
    const passkey = await this.#store.find(response.id);
    if (!isAsked || !passkey) throw wrongPasskey(isAsked ? "no such passkey" : "an unknown challenge");
    const { accountId } = passkey;
    const { userHandle } = response.response;
    if (userHandle !== undefined && userHandle !== userHandleOf(accountId).toString("base64url"))
      throw wrongPasskey("the passkey of another account");
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      credential: passkey,
      expectedChallenge: challenge,
      requireUserVerification: false,
      ...this.#site,
    }).catch(refusing(wrongPasskey));
    const { newCounter: counter, credentialBackedUp: isBackedUp, userVerified: isUserVerified } = authenticationInfo;
    if (!verified) throw wrongPasskey("its signature is not right");
    if (!(await this.#store.wasUsed(response.id, { counter, isBackedUp })))
      throw wrongPasskey("its counter was seen before");
    return { accountId, credentialId: response.id, isUserVerified };
  }
}

/** What an authenticator knows the account by; not the username, which it may show to anybody (section 14.6.1). */
function userHandleOf(accountId: string): Buffer {
  return Buffer.from(accountId.replaceAll("-", ""), "hex");
}

type Refusing = (operator: string) => Refusal;

const unusable: Refusing = (operator) =>
  new Refusal("ValidationFailed", { public: "This passkey could not be registered; please begin again.", operator });

/** The same answer for every fault, so that attackers learn nothing. */
export const wrongPasskey: Refusing = (operator) =>
  new Refusal("WrongPasskey", { public: "This passkey is not known here, or its answer is not right.", operator });

/** Checks of an answer throw plain errors; their message goes to the log only. */
function refusing(refusal: Refusing): (error: unknown) => never {
  return (error) => {
    throw refusal(messageOf(error));
  };
}

function orRefused<T>(run: () => T, refusal: Refusing): T {
  try {
    return run();
  } catch (error) {
    return refusing(refusal)(error);
  }
}
