import type { Edit } from './try-edits.ts'

/** Edits of a transfer that name another beneficiary than the key or the code. */
export const BENEFICIARY_EDITS: readonly Edit[] = [
  { pointer: '/beneficiary', value: { tax_id: '52998224725' } },
  { pointer: '/beneficiary', value: { tax_id: '***.982.247-**' } },
  { pointer: '/beneficiary', value: { account_number: '98765432109876543210' } },
  { pointer: '/beneficiary', value: { ispb: '00000000' } },
  { pointer: '/beneficiary', value: { branch: '9876' } },
  { pointer: '/beneficiary', value: { name: 'Someone Else' } },
]
