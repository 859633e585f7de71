import { sign } from '@partner-payments/webhooks'
import { mutants } from '../mutants/index.ts'
import { createTrigger, listOf } from '../mutants/tools.ts'
import { withQuery } from '../services/call.ts'
import { bodyOf, withJson } from '../services/responses.ts'
import { rowsOf } from '../services/state.ts'
import { handle, type Service, type Services } from '../services/wrap.ts'

/** A bug behind the differences of a service, by an id. */
export interface Bug {
  readonly id: string
  readonly service: Service
}

/** The deliveries of an event to webhooks that must not get it. */
function deliveriesTo(webhooks: string): Service {
  const change = `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
    SELECT NEW.id, id, 'pending', NEW.created_at, lane FROM webhooks WHERE ${webhooks}`
  return { prepare: ({ run }) => run(createTrigger('AFTER INSERT ON events', change)) }
}

/** Each delivery goes to the newest webhooks in another state too, which receive nothing. */
function alsoTo(state: string): Service {
  const sql = `SELECT w.url, w.secret FROM webhooks w
    JOIN webhooks subscribed ON subscribed.partner_id = w.partner_id
    WHERE subscribed.url = ? AND w.url LIKE 'http://127.0.0.1:%' AND ${state}
    ORDER BY w.position DESC LIMIT 3`
  return {
    async relay(posted, send, sandbox) {
      const id = String(posted.headers['webhook-id'])
      for (const { url, secret } of await rowsOf(sandbox, sql, posted.url)) {
        const headers = await sign(posted.body, [String(secret)], {
          id,
          now: sandbox.app.clock.now,
        })
        await send({ ...posted, url: String(url), headers: { ...posted.headers, ...headers } })
      }
      return send(posted)
    },
  }
}

const services: Services = {
  'events-of-others': deliveriesTo(
    "partner_id <> NEW.partner_id AND deleted_at IS NULL AND status = 'active'",
  ),
  'events-after-deletion': alsoTo('w.deleted_at IS NOT NULL'),
  'events-while-inactive': alsoTo("w.deleted_at IS NULL AND w.status = 'inactive'"),
  'no-retry': { relay: (posted, send) => send(posted).then(() => 204) },
  'signed-by-nobody': {
    relay: (posted, send) =>
      send({ ...posted, headers: { ...posted.headers, 'webhook-signature': 'v1,none' } }),
  },
  'cancelled-code-paid': {
    prepare: ({ run }) =>
      run(
        createTrigger(
          `AFTER UPDATE OF status ON qrcodes
            WHEN NEW.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'`,
          `UPDATE qrcodes SET status = 'ATIVA' WHERE id = NEW.id`,
        ),
      ),
  },
  'last-shown-again': {
    operations: new Set(['listImmediateQrCodes', 'listDueDateQrCodes']),
    ...handle(async (call, next, { memory }) => {
      const response = await next(call)
      const body = await bodyOf(response)
      if (!response.ok || !body) return response
      const data = listOf(body.data)
      const cursor = call.url.searchParams.get('cursor')
      const last = memory.get(`last ${cursor}`)
      if (typeof body.next_cursor === 'string') memory.set(`last ${body.next_cursor}`, data.at(-1))
      if (cursor === null || last === undefined) return response
      return withJson(response, { ...body, data: [last, ...data.slice(1)] })
    }),
  },
  'page-repeated': {
    operations: new Set(['listImmediateQrCodes', 'listDueDateQrCodes']),
    ...handle((call, next) => {
      const isCursor = /^at-\d+$/.test(call.url.searchParams.get('cursor') ?? '')
      return next(isCursor ? withQuery(call, { cursor: null }) : call)
    }),
  },
  'page-lost': {
    operations: new Set(['listImmediateQrCodes', 'listDueDateQrCodes']),
    ...handle(async (call, next) => {
      const response = await next(call)
      const body = await bodyOf(response)
      const cursor = body?.next_cursor
      if (!response.ok || typeof cursor !== 'string') return response
      const second = await bodyOf(await next(withQuery(call, { cursor, limit: '1' })))
      return withJson(response, { ...body, next_cursor: second?.next_cursor ?? null })
    }),
  },
}

/** Mutants of the sandbox that are put behind the differences too, by their sentences. */
const MUTANTS = [
  'A full last page has a cursor, which leads to an empty page.',
  'Of two filters, only status is applied.',
  'A page without a limit has ten records.',
  'The list of immediate codes shows those of one partner to everybody.',
  'A charge that was paid is no longer listed where no status is asked for.',
  'For a day after a rotation, only the old secret signs.',
  'Webhooks of type qrcode receive transfer.rejected too.',
  'A delivery that gets a 4xx is not tried again.',
  'A delivery that is tried again carries no signature.',
  'The body is signed, then written in ASCII.',
  'qrcode.paid carries the charge as it was before: ATIVA, with its old revision.',
  'Deliveries go on to the url that a webhook had first: the update does not reach the sender.',
  'The list of webhooks shows the secret of each.',
  'The look-up of a webhook shows a part of its secret.',
  'An update of a webhook changes nothing, and shows the webhook.',
  'An update to inactive sets the type to all.',
  'A rotation returns the secret that the webhook has.',
  'A deleted webhook stays in the list, with its deleted_at.',
  'transfer.received goes to the webhooks of every partner.',
  'transfer.received shows half of the amount.',
  'qrcode.paid shows the amount that was asked for.',
  'A QR code that was paid shows no payment in lists.',
  'The response to a cancellation still says ATIVA.',
  'The cancellation of a due-date code is shown, but not stored.',
  'A second cancellation of a due-date code changes it again.',
]

const ofMutants = MUTANTS.map((says): Bug => {
  const mutant = mutants.find((each) => each.says === says)
  if (!mutant) throw new Error(`no mutant says "${says}"`)
  return { id: says, service: mutant.service }
})

export const bugs: readonly Bug[] = [
  ...Object.entries(services).map(([id, service]) => ({ id, service })),
  ...ofMutants,
]
