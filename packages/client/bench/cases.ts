import type { TransferRequest } from '@partner-payments/spec'
import * as answers from './answers.ts'
import type { Client, Connect } from './client.ts'

/** Resolves to `true` where the client is wrong: it reads a failure as success, or calls another path. */
export type Case = (connect: Connect) => Promise<boolean>

/** An error that says nothing but its status. */
const emptyError: Case = (connect) => readsAsSuccess(connect, () => answers.empty(500), checkKey)

/** The error of the contract. */
const problem: Case = (connect) => readsAsSuccess(connect, answers.problemNotFound, checkKey)

/** What answers when the service does not: a proxy, in its own words. */
const errorPage: Case = (connect) => readsAsSuccess(connect, answers.badGateway, checkKey)

/** A success that lacks all that it should carry. */
const emptySuccess: Case = (connect) => readsAsSuccess(connect, () => answers.empty(200), checkKey)

/** Nobody knows whether the transfer was made; it must not read as made. */
const unknownTransfer: Case = (connect) =>
  readsAsSuccess(connect, answers.problemUnavailable, (client) => client.createTransfer(transfer))

/** Unless it is encoded, the identifier climbs, and turns what is behind it into a query. */
const reservedCharacters: Case = (connect) => callsAnotherPath(connect, 'a/../b?x')

/** No encoding keeps a URL from climbing here: only a refusal does. */
const dotSegment: Case = (connect) => callsAnotherPath(connect, '..')

/** By the name to show of each. */
export const cases: Readonly<Record<string, Case>> = {
  '500, empty body': emptyError,
  '404 problem': problem,
  '502 HTML': errorPage,
  '200, empty body': emptySuccess,
  'path value a/../b?x': reservedCharacters,
  'path value ..': dotSegment,
  'transfer answered 503': unknownTransfer,
}

/** The names of the cases that a client gets wrong. Throws where it fails when nothing is wrong: it would pass all. */
export async function wrongCases(connect: Connect): Promise<string[]> {
  await passControls(connect)
  const wrong: string[] = []
  for (const [name, isWrong] of Object.entries(cases)) if (await isWrong(connect)) wrong.push(name)
  return wrong
}

async function passControls(connect: Connect) {
  await answering(connect, answers.keyFound).checkKey('beltrana@example.com')
  await answering(connect, answers.transferMade).createTransfer(transfer)
  await answering(connect, answers.webhookFound).getWebhook('ea39a477-9f5e-4b25-9540-bcba72e862bb')
}

const transfer: TransferRequest = {
  type: 'dict',
  amount: '25.00',
  initiation_id: 'ini_4b8Xw2Tq',
  dict_key: 'beltrana@example.com',
}

type Call = (client: Client) => Promise<unknown>

const checkKey: Call = (client) => client.checkKey('beltrana@example.com')

const baseUrl = 'http://127.0.0.1:4010'

async function readsAsSuccess(connect: Connect, answer: () => Response, call: Call): Promise<boolean> {
  const client = answering(connect, answer)
  return succeeds(() => call(client))
}

function answering(connect: Connect, answer: () => Response): Client {
  return connect({ baseUrl, token: 'token', fetch: async () => answer() })
}

async function callsAnotherPath(connect: Connect, webhookId: string): Promise<boolean> {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    urls.push(new Request(input, init).url)
    return answers.webhookFound()
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
