import { CannotRun, NoToken } from '../model/errors.ts'
import { isPlainRead } from '../model/operation-view.ts'
import { requestPath } from '../model/paths.ts'
import { isHtml, notAnApi } from '../transport/sign-in-errors.ts'
import type { Run } from './prepare.ts'
import { detectTokenScheme } from './token-scheme.ts'

/**
 * Whether the service responds and accepts the credentials. If a sign-in returns no token, its findings are
 * kept.
 *
 * @throws {CannotRun} if it does not respond, or refuses the credentials
 */
export async function reach(run: Run): Promise<boolean> {
  if (run.stop.signal.aborted) return false
  try {
    await signInOrProbe(run)
    return true
  } catch (error) {
    if (run.stop.signal.aborted) return false
    if (!(error instanceof NoToken) || run.findingStore.findings().length === 0) throw error
    run.stop.now(error.message)
    return false
  }
}

/** Signs in with all credentials, or sends a read if the contract has no sign-in. */
async function signInOrProbe(run: Run): Promise<void> {
  const { contract, identities, options } = run
  if (contract.signIn) {
    await identities.headerOf('partner', undefined)
    if (options.other) await identities.headerOf('other', undefined)
    await detectTokenScheme(run)
    return
  }
  await probe(run)
  if (options.credentials) await requireAccepted(run)
}

async function probe({ contract, transport, stop, guard }: Run): Promise<void> {
  const first = contract.operations.find(isPlainRead)
  const request = { method: 'GET', path: first?.path ?? '/', headers: {}, body: undefined }
  guard(first, request)
  const response = await transport.send(request, stop.signal)
  if (response.status === 0) throw new CannotRun(`the service cannot be reached: ${response.text}`)
  if (first && isHtml(response) && ![401, 403].includes(response.status))
    throw notAnApi(`GET ${first.path} returned ${response.status} with text/html`)
}

/** One operation may wrongly refuse its caller, which is for the rules to report. */
const MAX_READS = 3

/** Credentials that every read refuses with 401 are wrong. */
async function requireAccepted({
  contract,
  identities,
  transport,
  stop,
  guard,
  unsendable,
}: Run): Promise<void> {
  const reads = contract.operations
    .filter((it) => isPlainRead(it) && it.scheme !== undefined && unsendable(it) === undefined)
    .slice(0, MAX_READS)
  for (const view of reads) {
    const authorization = (await identities.headerOf('partner', view)) ?? ''
    const request = {
      method: 'GET',
      path: requestPath(view, {}),
      headers: { authorization },
      body: undefined,
    }
    guard(view, request)
    const { status } = await transport.send(request, stop.signal)
    if (status !== 401) return
  }
  const [first] = reads
  if (!first) return
  const refused = `refused with 401, for example by ${first.id}`
  throw new CannotRun(
    first.scheme === 'basic'
      ? `the key and the secret were ${refused}: are they right?`
      : `the token was ${refused}: is it right, and not expired?`,
  )
}
