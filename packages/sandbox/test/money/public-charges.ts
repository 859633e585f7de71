import type { AmountsDue, Charge } from '../../src/money/charge.ts'

/** A charge, and what is due on a day, in centavos. */
interface PublicCharge {
  /** The text of the standard that decides the amounts, or the public report that they come from. */
  readonly source: string
  readonly charge: Charge
  readonly day: string
  readonly amounts: Omit<AmountsDue, 'original'>
}

const MOVED_DUE_DATE =
  'Manual de Padrões 2.10.0, annex III, section 3; Pix API 2.9.0, CobDataDeVencimento'

/** Charges whose due date or discount date moves to a business day, and one that truncates a rate. */
export const PUBLIC_CHARGES: readonly PublicCharge[] = [
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '737079.36',
      due_date: '2029-03-03',
      deduction: { modality: '2', amount: '15.70' },
      discount: { modality: '4', amount: '7965.68' },
      interest: { modality: '6', amount: '14.68' },
      fine: { modality: '1', amount: '10.80' },
    },
    day: '2029-03-03',
    amounts: { deduction: 11572145n, discount: 796568n, interest: 0n, fine: 0n, final: 61339223n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '7.26',
      due_date: '2029-11-25',
      deduction: { modality: '2', amount: '16.93' },
      discount: { modality: '6', amount: '0.63' },
      interest: { modality: '2', amount: '9.43' },
      fine: { modality: '1', amount: '7.89' },
    },
    day: '2029-11-25',
    amounts: { deduction: 122n, discount: 3n, interest: 0n, fine: 0n, final: 601n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '15.25',
      due_date: '2027-06-19',
      discount: { modality: '6', amount: '3.97' },
      interest: { modality: '8', amount: '9.02' },
    },
    day: '2027-05-23',
    amounts: { deduction: 0n, discount: 1210n, interest: 0n, fine: 0n, final: 315n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '626985.08',
      due_date: '2029-04-08',
      discount: { modality: '3', amount: '7933.44' },
      fine: { modality: '1', amount: '0.83' },
    },
    day: '2029-03-17',
    amounts: { deduction: 0n, discount: 18246912n, interest: 0n, fine: 0n, final: 44451596n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '806418.84',
      due_date: '2024-10-26',
      discount: { modality: '3', amount: '18925.47' },
      interest: { modality: '3', amount: '5.27' },
      fine: { modality: '1', amount: '0.15' },
    },
    day: '2024-10-22',
    amounts: { deduction: 0n, discount: 11355282n, interest: 0n, fine: 0n, final: 69286602n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '714.00',
      due_date: '2024-07-13',
      deduction: { modality: '1', amount: '43.40' },
      discount: { modality: '5', amount: '0.09' },
      interest: { modality: '6', amount: '2.50' },
      fine: { modality: '2', amount: '16.98' },
    },
    day: '2024-06-24',
    amounts: { deduction: 4340n, discount: 1267n, interest: 0n, fine: 0n, final: 65793n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '481736.21',
      due_date: '2029-01-27',
      discount: { modality: '3', amount: '9443.63' },
      interest: { modality: '5', amount: '11.72' },
      fine: { modality: '1', amount: '9.24' },
    },
    day: '2028-12-21',
    amounts: { deduction: 0n, discount: 36830157n, interest: 0n, fine: 0n, final: 11343464n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '1.55',
      due_date: '2028-10-21',
      discount: { modality: '3', amount: '0.05' },
      fine: { modality: '2', amount: '19.17' },
    },
    day: '2028-10-03',
    amounts: { deduction: 0n, discount: 100n, interest: 0n, fine: 0n, final: 55n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '2.95',
      due_date: '2029-12-16',
      discount: { modality: '4', amount: '0.09' },
      interest: { modality: '1', amount: '8.05' },
      fine: { modality: '1', amount: '10.38' },
    },
    day: '2029-12-10',
    amounts: { deduction: 0n, discount: 45n, interest: 0n, fine: 0n, final: 250n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '250076.73',
      due_date: '2025-06-07',
      deduction: { modality: '2', amount: '29.51' },
      discount: { modality: '5', amount: '1.66' },
      interest: { modality: '6', amount: '11.43' },
      fine: { modality: '1', amount: '14.04' },
    },
    day: '2025-05-12',
    amounts: { deduction: 7379764n, discount: 8193452n, interest: 0n, fine: 0n, final: 9434457n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '876.28',
      due_date: '2027-01-16',
      discount: { modality: '6', amount: '3.58' },
      interest: { modality: '3', amount: '3.71' },
      fine: { modality: '2', amount: '9.50' },
    },
    day: '2026-12-22',
    amounts: { deduction: 0n, discount: 53330n, interest: 0n, fine: 0n, final: 34298n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '415750.48',
      due_date: '2025-09-14',
      discount: { modality: '3', amount: '6820.72' },
      interest: { modality: '7', amount: '2.25' },
    },
    day: '2025-09-08',
    amounts: { deduction: 0n, discount: 4774504n, interest: 0n, fine: 0n, final: 36800544n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '482312.58',
      due_date: '2027-07-31',
      discount: { modality: '6', amount: '3.63' },
      interest: { modality: '5', amount: '7.29' },
      fine: { modality: '2', amount: '17.24' },
    },
    day: '2027-08-01',
    amounts: { deduction: 0n, discount: 1750794n, interest: 0n, fine: 0n, final: 46480464n },
  },
  {
    source: MOVED_DUE_DATE,
    charge: {
      original: '7.55',
      due_date: '2025-03-01',
      discount: { modality: '5', amount: '1.26' },
      interest: { modality: '4', amount: '6.74' },
      fine: { modality: '1', amount: '10.87' },
    },
    day: '2025-02-18',
    amounts: { deduction: 0n, discount: 142n, interest: 0n, fine: 0n, final: 613n },
  },
  {
    source: 'https://github.com/bacen/pix-api/issues/607',
    charge: {
      original: '30000.00',
      due_date: '2024-09-04',
      interest: { modality: '3', amount: '1.00' },
    },
    day: '2024-09-05',
    amounts: { deduction: 0n, discount: 0n, interest: 999n, fine: 0n, final: 3000999n },
  },
  {
    source: 'https://github.com/bacen/pix-api/issues/390',
    charge: {
      original: '100.00',
      due_date: '2021-04-30',
      discount: {
        modality: '1',
        fixedDateDiscount: [
          { date: '2021-04-02', amount: '3.00' },
          { date: '2021-04-05', amount: '2.00' },
        ],
      },
    },
    day: '2021-04-04',
    amounts: { deduction: 0n, discount: 300n, interest: 0n, fine: 0n, final: 9700n },
  },
  {
    source: 'https://github.com/bacen/pix-api/issues/347',
    charge: {
      original: '10.00',
      due_date: '2021-02-27',
      interest: { modality: '1', amount: '0.10' },
    },
    day: '2021-03-02',
    amounts: { deduction: 0n, discount: 0n, interest: 10n, fine: 0n, final: 1010n },
  },
  {
    source: 'https://github.com/bacen/pix-api/issues/205',
    charge: {
      original: '100.00',
      due_date: '2020-11-28',
      interest: { modality: '1', amount: '1.00' },
    },
    day: '2020-12-01',
    amounts: { deduction: 0n, discount: 0n, interest: 100n, fine: 0n, final: 10100n },
  },
]
