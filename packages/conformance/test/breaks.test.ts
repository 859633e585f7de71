import { expect, test } from 'vitest'
import { type Break, breaks, inWords } from './breaks/breaks.ts'
import { checkBroken, isEntryNamed, type Side } from './breaks/broken.ts'
import { isRefusedByLint } from './breaks/of-side.ts'

/** A field of each kind, from all breaks, which run every night. */
const SAMPLES: Readonly<Record<Side, readonly string[]>> = {
  conformance: [
    '/invariants/final-amount/sum/plus/2',
    '/invariants/transfer-envelope/equal/1',
    '/invariants/qr-code-timestamps/notBefore',
    '/invariants/settled-at/filledWhen/is/~1status/0',
    '/invariants/owner-kind/formOf/forms',
    '/invariants/end-to-end-id-unique/unique/0',
    '/oneTimeValues/initiation/boundTo/1',
    '/oneTimeValues/initiation/used/refusal',
    '/copies/check-shows-kind/from/1',
    '/lists/listImmediateQrCodes/order/direction',
    '/permissions/partner-only/tokens/0',
  ],
  sandbox: [
    '/lifetimes/access-token/expires/unit',
    '/oneTimeValues/initiation/lifetime',
    '/lists/listDueDateQrCodes/order/direction',
    '/lists/listImmediateQrCodes/filters/status/field',
    '/events/transfer.settled/subscribers/0',
    '/deliveries/waits/4',
    '/deliveries/overlap/duration',
  ],
}

test.each(Object.entries(SAMPLES))(
  'it notices a broken field of spec/behaviour that only %s reads',
  async (side, sample) => {
    const broken = sample.map(breakOf)
    const shown = await checkBroken(side as Side, broken)
    expect(broken.filter((one) => !isEntryNamed(one, shown)).map(inWords)).toEqual([])
  },
)

test.each([
  '/actions/codes/operations/check',
  '/permissions/partner-only/operations/0',
  '/lifetimes/access-token/refusal',
  '/copies/transfer-shows-code-kind/values/Static',
  '/invariants/final-amount/of/0',
  '/invariants/open-amount/formOf/forms',
  '/oneTimeValues/initiation/boundTo/1',
  '/resources/immediateQrCode/states/CONCLUIDA/on/pay/by',
  '/resources/webhook/states/deleted/on/read/refusal',
  '/lists/listDueDateQrCodes/pages/limit',
  '/events/qrcode.paid/resource/0',
  '/deliveries/subscription/type/field',
])('the lint of the contract refuses another %s', (at) => {
  expect(isRefusedByLint(breakOf(at))).toBe(true)
})

/** The last other value of a field: of several, the one that differs most. */
function breakOf(at: string): Break {
  const found = breaks.findLast((one) => one.at === at && 'value' in one)
  if (!found) throw new Error(`spec/behaviour has no formal field ${at}`)
  return found
}
