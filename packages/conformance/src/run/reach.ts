import type { Contract } from './contract.ts'
import type { Run } from './prepare.ts'
import { CannotRun, isPage, NoToken } from './refused-sign-in.ts'

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
async function firstAnswers({ contract, identities, options, wire, stop }: Run): Promise<void> {
  if (contract.operations.some(({ scheme }) => scheme === 'basic')) {
    await identities.headerOf('partner', undefined)
    if (options.other) await identities.headerOf('other', undefined)
    return
  }
  const first = contract.operations.find(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0,
  )
  const call = { method: 'GET', path: first?.path ?? '/', headers: {}, body: undefined }
  const reply = await wire.send(call, stop.signal)
  if (reply.status === 0) throw new CannotRun(`the service cannot be reached: ${reply.text}`)
  if (first && isPage(reply) && ![401, 403].includes(reply.status) && !knowsPages(contract))
    throw new CannotRun(
      `this is no such API: GET ${first.path} was answered ${reply.status} with text/html; is it the base URL?`,
    )
  const secured = contract.operations.find(({ scheme }) => scheme === 'bearer')
  if (secured) await identities.headerOf('partner', secured)
}

/** Whether a contract has answers for people too. */
function knowsPages({ document }: Contract): boolean {
  return JSON.stringify(document.root).includes('"text/html')
}
