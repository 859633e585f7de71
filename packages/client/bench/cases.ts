import type { TransferRequest } from '@partner-payments/spec'
import type { Client, Connect } from './clients.ts'
import * as responses from './responses.ts'

type Call = (client: Client) => Promise<unknown>

export const transfer: TransferRequest = {
  type: 'dict',
  amount: '25.00',
  initiation_id: 'ini_4b8Xw2Tq',
  dict_key: 'beltrana@example.com',
}

const checkKey: Call = (client) => client.checkKey('beltrana@example.com')
const createTransfer: Call = (client) => client.createTransfer(transfer)

interface FailureCase {
  readonly name: string
  readonly respond: () => Response
  readonly call: Call
}

/** Responses that a client must not read as a success of the call. */
const FAILURES: readonly FailureCase[] = [
  {
    name: '500, empty body',
    respond: () => responses.empty(500),
    call: checkKey,
  },
  {
    // The error of the contract.
    name: '404 problem',
    respond: responses.problemNotFound,
    call: checkKey,
  },
  {
    // The error page of a proxy.
    name: '502 HTML',
    respond: responses.badGateway,
    call: checkKey,
  },
  {
    name: '200, empty body',
    respond: () => responses.empty(200),
    call: checkKey,
  },
  {
    // The outcome of the transfer is unknown.
    name: 'transfer returns 503',
    respond: responses.problemUnavailable,
    call: createTransfer,
  },
  {
    name: 'transfer returns 201 with {}',
    respond: () => responses.unproven(201, {}),
    call: createTransfer,
  },
  {
    // The page of a gateway that responds with JSON.
    name: 'transfer returns 201 with another JSON object',
    respond: () => responses.unproven(201, { error: 'fora do ar' }),
    call: createTransfer,
  },
  {
    name: 'transfer returns 201 with a problem as application/json',
    respond: () => responses.unproven(201, { title: 'Unavailable', status: 503 }),
    call: createTransfer,
  },
  {
    name: 'transfer returns 201 without data',
    respond: () => responses.unproven(201, { id: 't', status: 'pending' }),
    call: createTransfer,
  },
  {
    // A page would show "undefined" as the payee.
    name: 'look-up returns 200 with {}',
    respond: () => responses.unproven(200, {}),
    call: checkKey,
  },
]

/**
 * Without encoding, the first changes the path and adds a query. Encoding does not help for the
 * second: it must be refused.
 */
const IDS = ['a/../b?x', '..']

export const CASES = FAILURES.length + IDS.length

/**
 * The names of the cases that a client fails. Throws if the client fails a valid call, since it
 * would then pass all cases.
 */
export async function wrongCases(connect: Connect): Promise<string[]> {
  await callValid(connect)

  const wrong: string[] = []
  for (const { name, respond, call } of FAILURES) {
    const client = respondingWith(connect, respond)
    if (await succeeds(() => call(client))) wrong.push(name)
  }
  for (const id of IDS) {
    if (await callsAnotherPath(connect, id)) wrong.push(`path value ${id}`)
  }
  return wrong
}

async function callValid(connect: Connect): Promise<void> {
  await checkKey(respondingWith(connect, responses.keyFound))
  await createTransfer(respondingWith(connect, responses.transferMade))
  const client = respondingWith(connect, responses.webhookFound)
  await client.getWebhook('ea39a477-9f5e-4b25-9540-bcba72e862bb')
}

const baseUrl = 'http://127.0.0.1:4010'

function respondingWith(connect: Connect, respond: () => Response, urls: string[] = []): Client {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    urls.push(new Request(input, init).url)
    return respond()
  }
  return connect({ baseUrl, token: 'token', fetch })
}

async function callsAnotherPath(connect: Connect, webhookId: string): Promise<boolean> {
  const urls: string[] = []
  const client = respondingWith(connect, responses.webhookFound, urls)
  await succeeds(() => client.getWebhook(webhookId))
  const expected = `${baseUrl}/mobile-bff/v1/partner/webhook/${encodeURIComponent(webhookId)}`
  return urls.some((url) => url !== expected)
}

async function succeeds(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch {
    return false
  }
}
