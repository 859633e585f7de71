import { expect, test } from 'vitest'
import { type Break, breaks } from './breaks/breaks.ts'
import { checkBroken, inWords, isNamed, type Side } from './breaks/broken.ts'

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
    '/lists/listImmediateQrCodes/order/direction',
    '/permissions/partner-only/tokens/0',
  ],
  sandbox: [
    '/lifetimes/access-token/expires/unit',
    '/oneTimeValues/initiation/lifetime',
    '/lists/listDueDateQrCodes/order/direction',
    '/lists/listImmediateQrCodes/filters/status/field',
    '/deliveries/overlap/duration',
  ],
}

test.each(Object.entries(SAMPLES))(
  'it notices a broken field of spec/behaviour that only %s reads',
  async (side, sample) => {
    const broken = sample.map(breakOf)
    const shown = await checkBroken(side as Side, broken)
    expect(broken.filter((one) => !isNamed(one, shown)).map(inWords)).toEqual([])
  },
)

test('it finds nothing where both read the same', async () => {
  const { findings, entriesWithoutCase } = await checkBroken('conformance', [])
  expect({ findings, entriesWithoutCase }).toEqual({ findings: [], entriesWithoutCase: [] })
})

/** The last other value of a field: of several, the one that differs most. */
function breakOf(at: string): Break {
  const found = breaks.findLast((one) => one.at === at && 'value' in one)
  if (!found) throw new Error(`spec/behaviour has no formal field ${at}`)
  return found
}
