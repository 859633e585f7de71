import { validBody } from '../bodies.ts'
import type { PlanContext } from '../plan.ts'
import { createRecord } from '../valid-requests.ts'

/** The code of a new due-date charge. Undefined if it was refused. */
export async function createDueDateCode(
  context: PlanContext,
  amount: object,
  calendar: { readonly due_date: string; readonly expiration_days: number },
): Promise<string | undefined> {
  const body = { ...validBody(context, 'createDueDateQrCode'), amount, calendar }
  const { emv } = await createRecord(context, 'createDueDateQrCode', { body })
  return emv
}

/** Checks each code, in turn as the partner and as a customer. */
export async function checkCodes(
  { send, random }: PlanContext,
  codes: readonly { readonly emv: string | undefined }[],
): Promise<void> {
  let isCustomer = random() < 0.5
  for (const { emv } of codes) {
    isCustomer = !isCustomer
    if (emv === undefined) continue
    const by = isCustomer ? 'customer' : 'partner'
    await send('checkCode', { body: { emv }, by })
  }
}
