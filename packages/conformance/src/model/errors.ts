/** What cannot be checked at all; the message says why. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** A success of the sign-in without a token: nothing else can be asked, and what is wrong with it can be said. */
export class NoToken extends CannotRun {}

/** A request that must not leave, or was put off: the case cannot be judged. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}
