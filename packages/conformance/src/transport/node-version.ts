import { CannotRun } from '../model/errors.ts'

/** The least major version: the one of `engines` in package.json, which the tests run on. */
const LEAST = 24

/**
 * Says which Node is needed, before something less clear does.
 *
 * @param version Of this Node, such as `24.21.0`.
 * @throws {CannotRun} where it is too old
 */
export function requireNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= LEAST) return
  throw new CannotRun(`it needs Node ${LEAST} or later, and this is Node ${version}`)
}
