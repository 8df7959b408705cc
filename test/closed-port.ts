/**
 * A port of this machine where nobody listens. One that was free a moment ago may be taken by the next server of another test; this
 * one nobody takes without the rights of the system, and `fetch` does not refuse it by itself.
 */
export const closedPort = 2;
