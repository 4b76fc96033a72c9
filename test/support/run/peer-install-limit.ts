/** How long a hook or a test may take that starts a peer which a machine's first run fetches, builds or installs. */
export const peerInstallLimitMs = 10 * 60_000;
