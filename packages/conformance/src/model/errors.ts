/** The check cannot run; the message says why. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** The sign-in succeeded without returning a token, so that only its response can be judged. */
export class NoToken extends CannotRun {}

/** A request was not sent, or refused with 429, so the case is inconclusive. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}
