import type { TransferRequest } from '@partner-payments/spec'
import type { Client, Connect } from './client.ts'
import * as responses from './responses.ts'

/** Resolves to `true` if the client fails: it reads a failure as a success, or calls another path. */
export type Case = (connect: Connect) => Promise<boolean>

/** An error response without a body. */
const emptyError: Case = (connect) => readsAsSuccess(connect, () => responses.empty(500), checkKey)

/** The error of the contract. */
const problem: Case = (connect) => readsAsSuccess(connect, responses.problemNotFound, checkKey)

/** The error page of a proxy. */
const errorPage: Case = (connect) => readsAsSuccess(connect, responses.badGateway, checkKey)

/** A success without its body. */
const emptySuccess: Case = (connect) => readsAsSuccess(connect, () => responses.empty(200), checkKey)

/** The outcome of the transfer is unknown; it must not read as a success. */
const unknownOutcome: Case = (connect) =>
  readsAsSuccess(connect, responses.problemUnavailable, (client) => client.createTransfer(transfer))

/** Without encoding, the identifier changes the path and adds a query. */
const reservedCharacters: Case = (connect) => callsAnotherPath(connect, 'a/../b?x')

/** Encoding does not help here: the client must refuse the value. */
const dotSegment: Case = (connect) => callsAnotherPath(connect, '..')

/** The cases by display name. */
export const cases: Readonly<Record<string, Case>> = {
  '500, empty body': emptyError,
  '404 problem': problem,
  '502 HTML': errorPage,
  '200, empty body': emptySuccess,
  'path value a/../b?x': reservedCharacters,
  'path value ..': dotSegment,
  'transfer returns 503': unknownOutcome,
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

const checkKey: Call = (client) => client.checkKey('beltrana@example.com')

const baseUrl = 'http://127.0.0.1:4010'

async function readsAsSuccess(connect: Connect, respond: () => Response, call: Call): Promise<boolean> {
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
