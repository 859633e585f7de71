import { pathOf } from './exchange.ts'
import { CannotRun } from './identities.ts'
import type { Run } from './prepare.ts'

/**
 * Signs in as everyone of whom credentials were given, or asks for anything where there is no signing in: what cannot
 * be reached, or refuses the credentials, cannot be checked.
 *
 * @throws {CannotRun} in these cases
 */
export async function reach(run: Run): Promise<void> {
  const { contract, identities, options, wire } = run
  if (options.signal?.aborted) return
  if (contract.signIn) {
    await identities.headerOf('partner', undefined)
    if (options.other) await identities.headerOf('other', undefined)
    return
  }
  const { status, text } = await wire.send({ method: 'GET', path: '/', headers: {}, body: undefined })
  if (status === 0) throw new CannotRun(`the service cannot be reached: ${text}`)
  if (options.credentials) await beLetIn(run)
}

/** Reads that are tried, at most: one that refuses what it should take is for the laws to tell. */
const TRIED = 3

/** Who is refused by every list is nobody that the service knows. */
async function beLetIn({ contract, identities, wire }: Run): Promise<void> {
  const reads = contract.operations
    .filter((it) => it.method === 'GET' && it.scheme !== undefined && it.pathParameters.length === 0)
    .slice(0, TRIED)
  for (const view of reads) {
    const { headers, query } = await identities.proofOf('partner', view)
    const path = pathOf(view, { query })
    const { status } = await wire.send({ method: 'GET', path, headers: { ...headers }, body: undefined })
    if (status !== 401) return
  }
  const [first] = reads
  if (!first) return
  const refused = `refused with 401, as by ${first.id}`
  throw new CannotRun(
    first.scheme === 'basic'
      ? `the key and the secret were ${refused}: are they right?`
      : `the token was ${refused}: is it right, and not expired?`,
  )
}
