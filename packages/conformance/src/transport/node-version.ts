import { CannotRun } from '../model/errors.ts'

/** Must match `engines` in package.json. */
const LEAST = 24

/**
 * Reports an old version of Node before a less clear error does.
 *
 * @param version Version of Node, such as `24.21.0`.
 * @throws {CannotRun} if it is too old
 */
export function requireNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= LEAST) return
  throw new CannotRun(`it needs Node ${LEAST} or later, and this is Node ${version}`)
}
