import { CannotRun } from './cannot-run.ts'

/** The major version that is tested. */
const TESTED = 24
/** Below this one, what a run is made of does not load. */
const LEAST = 22

/**
 * Says which Node is needed, before something less clear does.
 *
 * @param version Of this Node, such as `24.21.0`.
 * @throws {CannotRun} where it is too old
 */
export function requireNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= LEAST) return
  throw new CannotRun(`it needs Node ${TESTED} or later, and this is Node ${version}`)
}
