/** Prefix of the paths of the contract. */
export const PREFIX = '/mobile-bff/v1'

/** The partners in the seed data: client key and client secret. */
export const CREDENTIALS = { partner: ['partner', 'secret'], other: ['other', 'secret'] } as const

/** Users of the partners, each with a customer. */
export const USERS = {
  partner: {
    user_id: '25fd6010-0b86-417f-96a3-7c5e37646c16',
    customer_id: '399e8188-1b06-4083-9229-9cdafae0c748',
  },
  other: {
    user_id: '36ae7121-1c97-4280-87b4-8d6f48757d27',
    customer_id: '4aaf9299-2c17-4194-a33a-ad0bbf1d1859',
  },
} as const

/** Keys of payees. */
export const KEYS = {
  partner: '12ABC34501DE35',
  other: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  beltrana: 'beltrana@example.com',
  padaria: '11222333000181',
} as const

export function basic([key, secret]: readonly [string, string]): string {
  return `Basic ${btoa(`${key}:${secret}`)}`
}
