import { validBody } from '../bodies.ts'
import type { PlanContext } from '../plan.ts'
import { createRecord } from '../valid-requests.ts'

/** Creates a due-date charge and returns its payment code. Undefined if the service refused it. */
export async function createDueDateCode(
  context: PlanContext,
  amount: object,
  calendar: { readonly due_date: string; readonly expiration_days: number },
): Promise<string | undefined> {
  const body = { ...validBody(context, 'createDueDateQrCode'), amount, calendar }
  const { emv } = await createRecord(context, 'createDueDateQrCode', { body })
  return emv
}

/**
 * Sends each payment code to checkCode: every second one as the partner, and the others as a customer. Chance decides
 * who is first. Codes that could not be created are left out.
 */
export async function checkCodes(
  { send, random, sideBySide }: PlanContext,
  codes: readonly { readonly emv: string | undefined }[],
): Promise<void> {
  const isPartnerFirst = random() < 0.5
  const senders = isPartnerFirst ? PARTNER_FIRST : CUSTOMER_FIRST
  const checks = codes.map(({ emv }, i) => ({ emv, by: senders[i % 2] }))
  await sideBySide(checks, async ({ emv, by }) => {
    if (emv !== undefined) await send('checkCode', { body: { emv }, by })
  })
}

const PARTNER_FIRST = ['partner', 'customer'] as const

const CUSTOMER_FIRST = ['customer', 'partner'] as const
