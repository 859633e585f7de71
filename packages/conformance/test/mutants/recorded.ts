import { by, withQuery } from '../services/call.ts'
import { bodyOf, set, withJson } from '../services/responses.ts'
import { handle, onSuccess } from '../services/wrap.ts'
import { CANCELLED, listOf, type Mutants, trigger } from './tools.ts'

/** The account of the first partner itself, which none of its customers has. */
const PARTNER = `(SELECT account_id FROM partners WHERE client_key = 'partner')`

/** Mutants of records, lists and ownership that the traffic of the example app's tests reaches. */
export const recorded: Mutants = {
  createTransfer: {
    'A transfer shows another description than was sent.': onSuccess(
      set('/data/description', 'Payment'),
    ),
  },
  checkCode: {
    'The check of a code shows another amount than its charge has.': onSuccess((body) => ({
      ...body,
      original_amount: '11.50',
      final_amount: '11.50',
    })),
  },
  listImmediateQrCodes: {
    'A creation also changes the amount of the QR code before it.': trigger(
      'AFTER INSERT ON qrcodes',
      'UPDATE qrcodes SET charge = NEW.charge WHERE position = NEW.position - 1',
    ),
    'A QR code is cancelled as soon as there are ten newer ones.': trigger(
      'AFTER INSERT ON qrcodes',
      `UPDATE qrcodes SET status = '${CANCELLED}', revision = revision + 1 WHERE position = NEW.position - 10`,
    ),
    'The list ends with its first page.': onSuccess(set('/next_cursor', null)),
    'Each page shows its oldest record first.': onSuccess((body) => ({
      ...body,
      data: listOf(body.data).toReversed(),
    })),
    'A page begins with the last record of the page before it.': onSuccess(
      (body, { url }, { memory }) => {
        const last = memory.get('last')
        memory.set('last', listOf(body.data).at(-1))
        return url.searchParams.has('cursor')
          ? { ...body, data: [last, ...listOf(body.data)] }
          : body
      },
    ),
    'The last page also shows the QR codes of another partner.': handle(
      async (call, next, { bearer }) => {
        const response = await next(call)
        // A cursor is that of its owner alone.
        const others = await bodyOf(
          await next(by(withQuery(call, { cursor: null }), await bearer('other'))),
        )
        const body = await bodyOf(response)
        if (body?.next_cursor !== null) return response
        const data = [...listOf(body.data), ...listOf(others?.data)]
        const newest = data.toSorted((a, b) => `${b.created_at}`.localeCompare(`${a.created_at}`))
        return withJson(response, { ...body, data: newest })
      },
    ),
    'The QR code of a customer belongs to the account of the partner.': trigger(
      `AFTER INSERT ON qrcodes WHEN NEW.dict_key = 'fulano@example.com'`,
      `UPDATE qrcodes SET account_id = ${PARTNER} WHERE id = NEW.id`,
    ),
  },
  'impersonate listImmediateQrCodes createImmediateQrCode': {
    'The second token for a customer acts for the partner itself.': trigger(
      'AFTER INSERT ON tokens WHEN (SELECT count(*) FROM tokens WHERE customer_id = NEW.customer_id) > 1',
      `UPDATE tokens SET customer_id = NULL, account_id = ${PARTNER} WHERE hash = NEW.hash`,
    ),
  },
}
