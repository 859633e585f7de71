import { bodyOf, isJson, type Json, remade } from '../services/responses.ts'
import { onResponse, onSuccess, type Service, together } from '../services/wrap.ts'
import { DYNAMIC_QR_CODES, delivering, fields, shown, words } from '../variations/kit.ts'
import { findService } from '../variations/variations.ts'

/** A difference of a service, and the open questions that it answers in another way. */
export interface Difference {
  readonly id: string
  /** One sentence: what the service does. */
  readonly says: string
  /** The questions that its evidence contradicts. */
  readonly answers: readonly string[]
  /** Questions that how the service is built touches too. */
  readonly near?: readonly string[]
  /** Questions of which the evidence leaves a value open, so that they stay. */
  readonly unseen?: readonly string[]
  /** Files of programs that hold the old assumption, which a type error names. */
  readonly names?: readonly string[]
  readonly service: Service
}

/** A service that differs in twelve assumptions, one by one. */
export const differences: readonly Difference[] = [
  {
    id: 'error-form',
    says: 'A refusal is application/json with code, message and request_id.',
    answers: ['errors'],
    names: ['packages/sandbox/src/control/exchanges.ts'],
    service: onResponse(inOwnForm),
  },
  {
    id: 'token-unit',
    says: 'expiration is in milliseconds.',
    answers: ['token-expiration-unit'],
    service: findService('expiration-ms'),
  },
  {
    id: 'transfer-statuses',
    says: 'The statuses of a transfer are in capitals.',
    answers: ['transfer-statuses'],
    names: ['packages/sandbox/src/behaviour.ts'],
    service: words('status', new Set(['createTransfer', 'transfer.settled', 'transfer.rejected']), {
      pending: 'PENDING',
      settled: 'SETTLED',
      rejected: 'REJECTED',
    }),
  },
  {
    id: 'refusal-status',
    says: 'A tx_id that is taken is refused with 422.',
    answers: ['errors'],
    service: onResponse(takenWith422),
  },
  {
    id: 'event-names',
    says: 'The event of a settled transfer is transfer.completed.',
    answers: ['event-kinds'],
    names: ['packages/cli/src/trigger.ts', 'packages/client/src/match.ts'],
    service: {
      relay: delivering((event) =>
        event.type === 'transfer.settled' ? { ...event, type: 'transfer.completed' } : event,
      ),
    },
  },
  {
    id: 'charge-words',
    says: 'The statuses of a QR code and the event of its payment have words of their own.',
    answers: ['qr-statuses', 'event-kinds'],
    // Its checks still have the words of the contract, and its lists take a status twice.
    near: ['code-status-values', 'errors'],
    // The institution of the service removes no code.
    unseen: ['qr-statuses'],
    service: together(
      {
        relay: delivering((event) =>
          event.type === 'qrcode.paid' ? { ...event, type: 'COBRANCA_PAGA' } : event,
        ),
      },
      words('status', DYNAMIC_QR_CODES, {
        ATIVA: 'EM_ABERTO',
        CONCLUIDA: 'PAGO',
        REMOVIDA_PELO_USUARIO_RECEBEDOR: 'CANCELADO',
      }),
    ),
  },
  {
    id: 'list-order',
    says: 'The list of webhooks shows the oldest first.',
    answers: ['paging'],
    service: {
      operations: 'listWebhooks',
      ...onSuccess((body) => ({ ...body, data: (body.data as Json[]).toReversed() })),
    },
  },
  {
    id: 'signature-header',
    says: 'The signature of a delivery is in x-pix-signature.',
    answers: ['signature'],
    service: {
      relay: ({ headers: { 'webhook-signature': signature = '', ...headers }, ...posted }, send) =>
        send({ ...posted, headers: { ...headers, 'x-pix-signature': signature } }),
    },
  },
  {
    id: 'timestamps',
    says: 'Timestamps have the offset of Brasília.',
    answers: ['timestamp-formats'],
    service: findService('times-offset'),
  },
  {
    id: 'numbers',
    says: 'The amount of a dynamic QR code is a number, in lists too.',
    answers: ['qr-record'],
    service: shown(
      DYNAMIC_QR_CODES,
      fields((name, value) => (name === 'original' ? Number(value) : value)),
    ),
  },
  {
    id: 'identifiers',
    says: 'Identifiers are hexadecimal digits after a prefix.',
    answers: ['identifiers'],
    // It writes bodies again, without their spaces.
    near: ['body-size'],
    service: findService('ids-prefixed'),
  },
  {
    id: 'key-words',
    says: 'Kinds of keys, of owners and of accounts have words of their own.',
    answers: ['key-kinds', 'owner-kinds', 'account-kinds'],
    // No key of the service is on a savings account or a salary account, so the contract keeps the words
    // for these in requests, which the service refuses.
    near: ['account-kinds'],
    unseen: ['account-kinds'],
    names: ['packages/sandbox/src/seed/data.ts', 'packages/sandbox/src/control/keys.ts'],
    service: findService('key-and-account-words'),
  },
]

async function inOwnForm(response: Response): Promise<Response> {
  const body = response.status < 400 ? undefined : await bodyOf(response)
  if (!body) return response
  const { code, detail, request_id, errors } = body
  const own = { code, message: detail, request_id, ...(errors !== undefined && { errors }) }
  return remade(response, {
    body: JSON.stringify(own),
    headers: { 'content-type': 'application/json' },
  })
}

async function takenWith422(response: Response): Promise<Response> {
  const body = response.status === 409 ? await bodyOf(response) : undefined
  if (!isJson(body) || body.code !== 'tx_id_taken') return response
  const text = JSON.stringify({ ...body, status: 422, title: 'Unprocessable Content' })
  return remade(response, { status: 422, body: text })
}

/** One service with several differences, and the questions that its evidence answers. */
export function serviceWith(ids: readonly string[]): Pick<Difference, 'answers' | 'service'> {
  const chosen = ids.map((id) => {
    const found = differences.find((difference) => difference.id === id)
    if (!found) throw new Error(`there is no difference "${id}"`)
    return found
  })
  return {
    answers: chosen.flatMap(({ answers }) => answers),
    service: chosen.map(({ service }) => service).reduce((one, next) => together(one, next)),
  }
}
