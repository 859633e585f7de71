import { by, withQuery } from '../services/call.ts'
import { bodyOf, set, withJson } from '../services/responses.ts'
import { handle, onSuccess } from '../services/wrap.ts'
import { CANCELLED, listOf, type Mutant, trigger } from './tools.ts'

/** The account of the first partner itself, which none of its customers has. */
const PARTNER = `(SELECT account_id FROM partners WHERE client_key = 'partner')`

/** Mutants of records, lists and ownership that the traffic of the example app's tests reaches. */
export const recorded: readonly Mutant[] = [
  {
    says: 'A transfer shows another description than was sent.',
    places: ['createTransfer'],
    service: onSuccess(set('/data/description', 'Payment')),
  },
  {
    says: 'The check of a code shows another amount than its charge has.',
    places: ['checkCode'],
    service: onSuccess((body) => ({
      ...body,
      original_amount: '11.50',
      final_amount: '11.50',
    })),
  },
  {
    says: 'A creation also changes the amount of the QR code before it.',
    places: ['listImmediateQrCodes'],
    service: trigger(
      'AFTER INSERT ON qrcodes',
      'UPDATE qrcodes SET charge = NEW.charge WHERE position = NEW.position - 1',
    ),
  },
  {
    says: 'A QR code is cancelled as soon as there are ten newer ones.',
    places: ['listImmediateQrCodes'],
    service: trigger(
      'AFTER INSERT ON qrcodes',
      `UPDATE qrcodes SET status = '${CANCELLED}', revision = revision + 1
        WHERE position = NEW.position - 10`,
    ),
  },
  {
    says: 'The list ends with its first page.',
    places: ['listImmediateQrCodes'],
    service: onSuccess(set('/next_cursor', null)),
  },
  {
    says: 'Each page shows its oldest record first.',
    places: ['listImmediateQrCodes'],
    service: onSuccess((body) => ({
      ...body,
      data: listOf(body.data).toReversed(),
    })),
  },
  {
    says: 'A page begins with the last record of the page before it.',
    places: ['listImmediateQrCodes'],
    service: onSuccess((body, { url }, { memory }) => {
      const last = memory.get('last')
      memory.set('last', listOf(body.data).at(-1))
      if (!url.searchParams.has('cursor')) return body
      return { ...body, data: [last, ...listOf(body.data)] }
    }),
  },
  {
    says: 'The last page also shows the QR codes of another partner.',
    places: ['listImmediateQrCodes'],
    service: handle(async (call, next, { bearer }) => {
      const response = await next(call)
      // A cursor is that of its owner alone.
      const firstPage = withQuery(call, { cursor: null })
      const others = await bodyOf(await next(by(firstPage, await bearer('other'))))
      const body = await bodyOf(response)
      if (body?.next_cursor !== null) return response

      const data = [...listOf(body.data), ...listOf(others?.data)]
      const newestFirst = data.toSorted((a, b) =>
        String(b.created_at).localeCompare(String(a.created_at)),
      )
      return withJson(response, { ...body, data: newestFirst })
    }),
  },
  {
    says: 'The QR code of a customer belongs to the account of the partner.',
    places: ['listImmediateQrCodes'],
    service: trigger(
      `AFTER INSERT ON qrcodes WHEN NEW.dict_key = 'fulano@example.com'`,
      `UPDATE qrcodes SET account_id = ${PARTNER} WHERE id = NEW.id`,
    ),
  },
  {
    says: 'The second token for a customer acts for the partner itself.',
    places: ['impersonate', 'listImmediateQrCodes', 'createImmediateQrCode'],
    service: trigger(
      `AFTER INSERT ON tokens
        WHEN (SELECT count(*) FROM tokens WHERE customer_id = NEW.customer_id) > 1`,
      `UPDATE tokens SET customer_id = NULL, account_id = ${PARTNER} WHERE hash = NEW.hash`,
    ),
  },
]
