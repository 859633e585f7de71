import { stringAt } from '../../contract/json.ts'
import { validBody } from '../bodies.ts'
import type { PlanContext } from '../plan.ts'
import { createRecord } from '../valid-requests.ts'
import { dueDatesAtEdge, refusedDueDates } from './due-dates.ts'
import { BY_CUSTOMER, type Edit, tryEdits } from './try-edits.ts'

/**
 * Tries to create codes that the service must refuse, such as without an amount or for the key of somebody
 * else, and creates codes at the edge of a rule, such as with the longest message.
 */
export async function createCharges(context: PlanContext): Promise<void> {
  const { send } = context
  // The key that the example of checkKey looks up is that of somebody else.
  const foreignKey = stringAt(validBody(context, 'checkKey'), '/dict_key')
  await send('checkKey', { body: { dict_key: foreignKey } })
  const withForeignKey: Edit = { pointer: '/dict_key', value: foreignKey }

  await context.sideBySide(chargeEdits(context), async ({ operation, refused, atEdge }) => {
    // The check shows whose account the key is.
    await createAndCheckCode(context, operation)
    await tryEdits(context, {
      operation,
      mustRefuse: () => [...refused, withForeignKey, BY_CUSTOMER],
      mayAccept: atEdge,
    })
    // Where a service takes the key of somebody else, the check shows who is paid.
    const body = { ...validBody(context, operation), dict_key: foreignKey }
    await createAndCheckCode(context, operation, body)
  })
}

/** Creates a code, by default that of the example, and checks it if it was accepted. */
async function createAndCheckCode(
  context: PlanContext,
  operation: string,
  body = validBody(context, operation),
): Promise<void> {
  const { emv } = await createRecord(context, operation, { body })
  if (emv !== undefined) await context.send('checkCode', { body: { emv } })
}

/** The edits of the request that creates a code. */
interface ChargeEdits {
  readonly operation: string
  /** Edits that a rule forbids. */
  readonly refused: readonly Edit[]
  /** Edits at the edge of a rule, which it allows. */
  readonly atEdge: readonly Edit[]
}

/**
 * The edits to try for each operation that creates codes: `refused` are those that the service must
 * refuse, such as an amount of `0.00`, and `atEdge` those that it must just accept, such as the longest message.
 */
function chargeEdits(context: PlanContext): ChargeEdits[] {
  const maxLength = maxMessageLength(context)
  return [
    {
      operation: 'createDueDateQrCode',
      refused: [
        ...WITHOUT_AMOUNT,
        WITHOUT_PAYER,
        ...INCOMPLETE_PAYER,
        ...refusedDueDates(context.clock),
      ],
      atEdge: dueDatesAtEdge(context.clock),
    },
    {
      operation: 'createImmediateQrCode',
      refused: [...WITHOUT_AMOUNT, ...INCOMPLETE_PAYER],
      atEdge: [WITHOUT_PAYER],
    },
    {
      operation: 'createStaticQrCode',
      refused: [
        { pointer: '/amount', value: '0.00' },
        { pointer: '/message', value: 'a'.repeat(maxLength + 1) },
      ],
      atEdge: [{ pointer: '/message', value: 'a'.repeat(maxLength) }],
    },
  ]
}

/** The key and the message of a static code have at most 73 characters together. */
function maxMessageLength(context: PlanContext): number {
  const { dict_key } = validBody(context, 'createStaticQrCode')
  return 73 - [...String(dict_key)].length
}

const WITHOUT_AMOUNT: readonly Edit[] = [
  { pointer: '/amount', value: {} },
  { pointer: '/amount', value: { original: '0.00' } },
]

const WITHOUT_PAYER: Edit = { pointer: '/payer', value: undefined }

/** A payer needs a name and a tax ID. */
const INCOMPLETE_PAYER: readonly Edit[] = [
  { pointer: '/payer', value: { name: 'Fulano de Tal' } },
  { pointer: '/payer', value: { tax_id: '12345678909' } },
]
