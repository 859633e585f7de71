import type { Contract } from '../model/contract.ts'
import { CannotRun, isPage, NoToken, noApi } from '../transport/cannot-run.ts'
import { pathOf } from '../transport/exchange.ts'
import type { Run } from './prepare.ts'

/**
 * Whether the service can be asked at all. What was found where signing in gave no token is kept: nothing else can be.
 *
 * @throws {CannotRun} where it cannot be reached, or refuses the credentials
 */
export async function reach(run: Run): Promise<boolean> {
  if (run.stop.signal.aborted) return false
  try {
    await firstAnswers(run)
    return true
  } catch (error) {
    if (run.stop.signal.aborted) return false
    if (!(error instanceof NoToken) || run.judge.findings().length === 0) throw error
    run.stop.now(error.message)
    return false
  }
}

/** Signs in as everyone of whom credentials were given, or asks for anything where there is no signing in. */
async function firstAnswers(run: Run): Promise<void> {
  const { contract, identities, options } = run
  if (contract.signIn) {
    await identities.headerOf('partner', undefined)
    if (options.other) await identities.headerOf('other', undefined)
    return
  }
  await beAnswered(run)
  if (options.credentials) await beLetIn(run)
}

async function beAnswered({ contract, wire, stop, guard }: Run): Promise<void> {
  const first = contract.operations.find(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0,
  )
  const call = { method: 'GET', path: first?.path ?? '/', headers: {}, body: undefined }
  guard(first, call)
  const reply = await wire.send(call, stop.signal)
  if (reply.status === 0) throw new CannotRun(`the service cannot be reached: ${reply.text}`)
  if (first && isPage(reply) && ![401, 403].includes(reply.status) && !knowsPages(contract))
    throw noApi(`GET ${first.path} was answered ${reply.status} with text/html`)
}

/** Whether a contract has answers for people too. */
function knowsPages({ document }: Contract): boolean {
  return JSON.stringify(document.root).includes('"text/html')
}

/** Reads that are tried, at most: one that refuses what it should take is for the laws to tell. */
const TRIED = 3

/** Who is refused by every list is nobody that the service knows. */
async function beLetIn({ contract, identities, wire, stop, guard, unaskable }: Run): Promise<void> {
  const reads = contract.operations
    .filter((it) => it.method === 'GET' && it.scheme !== undefined && it.pathParameters.length === 0)
    .filter((it) => unaskable(it) === undefined)
    .slice(0, TRIED)
  for (const view of reads) {
    const { headers, query } = await identities.proofOf('partner', view)
    const path = pathOf(view, { query })
    const call = { method: 'GET', path, headers: { ...headers }, body: undefined }
    guard(view, call)
    const { status } = await wire.send(call, stop.signal)
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
