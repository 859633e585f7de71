import type { TransferRequest } from '@partner-payments/spec'
import type { Client, Connect } from './clients.ts'
import * as responses from './responses.ts'

/** Resolves to `true` if the client fails: it reads a failure as a success, or calls another path. */
export type Case = (connect: Connect) => Promise<boolean>

/** The cases by display name. */
export const cases: Readonly<Record<string, Case>> = {
  '500, empty body': (connect) => readsAsSuccess(connect, () => responses.empty(500)),
  // The error of the contract.
  '404 problem': (connect) => readsAsSuccess(connect, responses.problemNotFound),
  // The error page of a proxy.
  '502 HTML': (connect) => readsAsSuccess(connect, responses.badGateway),
  '200, empty body': (connect) => readsAsSuccess(connect, () => responses.empty(200)),
  // Without encoding, the identifier changes the path and adds a query.
  'path value a/../b?x': (connect) => callsAnotherPath(connect, 'a/../b?x'),
  // Encoding does not help here: the client must refuse the value.
  'path value ..': (connect) => callsAnotherPath(connect, '..'),
  // The outcome of the transfer is unknown.
  'transfer returns 503': (connect) =>
    readsAsSuccess(connect, responses.problemUnavailable, (client) => client.createTransfer(transfer)),
}

/** The names of the cases that a client fails. Throws if the client fails a valid call, since it would then pass all cases. */
export async function wrongCases(connect: Connect): Promise<string[]> {
  await passControls(connect)
  const wrong: string[] = []
  for (const [name, isWrong] of Object.entries(cases)) if (await isWrong(connect)) wrong.push(name)
  return wrong
}

async function passControls(connect: Connect) {
  await respondingWith(connect, responses.keyFound).checkKey('beltrana@example.com')
  await respondingWith(connect, responses.transferMade).createTransfer(transfer)
  await respondingWith(connect, responses.webhookFound).getWebhook('ea39a477-9f5e-4b25-9540-bcba72e862bb')
}

export const transfer: TransferRequest = {
  type: 'dict',
  amount: '25.00',
  initiation_id: 'ini_4b8Xw2Tq',
  dict_key: 'beltrana@example.com',
}

type Call = (client: Client) => Promise<unknown>

const baseUrl = 'http://127.0.0.1:4010'

async function readsAsSuccess(
  connect: Connect,
  respond: () => Response,
  call: Call = (client) => client.checkKey('beltrana@example.com'),
): Promise<boolean> {
  const client = respondingWith(connect, respond)
  return succeeds(() => call(client))
}

function respondingWith(connect: Connect, respond: () => Response): Client {
  return connect({ baseUrl, token: 'token', fetch: async () => respond() })
}

async function callsAnotherPath(connect: Connect, webhookId: string): Promise<boolean> {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    urls.push(new Request(input, init).url)
    return responses.webhookFound()
  }
  const client = connect({ baseUrl, token: 'token', fetch })
  await succeeds(() => client.getWebhook(webhookId))
  const own = `${baseUrl}/mobile-bff/v1/partner/webhook/${encodeURIComponent(webhookId)}`
  return urls.some((url) => url !== own)
}

async function succeeds(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch {
    return false
  }
}
