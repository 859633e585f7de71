import type { Edit } from './try-edits.ts'

/** Edits of a transfer that name another beneficiary than the key or the code. */
export const BENEFICIARY_EDITS: readonly Edit[] = [
  { at: '/beneficiary', value: { tax_id: '52998224725' } },
  { at: '/beneficiary', value: { tax_id: '***.982.247-**' } },
  { at: '/beneficiary', value: { account_number: '98765432109876543210' } },
  { at: '/beneficiary', value: { ispb: '00000000' } },
  { at: '/beneficiary', value: { branch: '9876' } },
  { at: '/beneficiary', value: { name: 'Someone Else' } },
]
