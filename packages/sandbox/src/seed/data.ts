import type { NewAccount } from '../ledger/accounts.ts'
import { magicKey, REJECTING, REJECTIONS, type Rejection } from '../transfers/rejections.ts'
import { FIRST_PARTNER } from './first-partner.ts'

export interface SeededAccount extends NewAccount {
  /** The opening balance in centavos. */
  readonly opening?: bigint
}

const HERE = { standing: 'own', ispb: '99999010', branch: '0001' } as const
/** Another institution. */
export const ELSEWHERE = { standing: 'outside', ispb: '99999029', branch: '0001' } as const
const LOJA = {
  name: 'Loja Exemplo Ltda',
  trade_name: 'Loja Exemplo',
  tax_id: FIRST_PARTNER.dict_key,
  owner_type: 'LEGAL_PERSON',
} as const
const PADARIA = {
  name: 'Padaria Exemplo Ltda',
  trade_name: 'Padaria Exemplo',
  tax_id: '11222333000181',
  owner_type: 'LEGAL_PERSON',
} as const
const FULANO = {
  name: 'Fulano de Tal',
  trade_name: '',
  tax_id: '12345678909',
  owner_type: 'NATURAL_PERSON',
} as const
const BELTRANA = {
  name: 'Beltrana de Tal',
  trade_name: '',
  tax_id: '11144477735',
  owner_type: 'NATURAL_PERSON',
} as const

/** The account for money from outside, so that every posting has two sides. */
export const OUTSIDE = 'outside/world'
/** Whose name and tax ID a payment from outside shows. */
export const PAYER_OUTSIDE = 'outside/beltrana'

/**
 * Partners with their client key and secret. Two, so that tests can check that they cannot see each
 * other's data.
 */
export const PARTNERS = [
  {
    id: '47216ec3-f206-4f92-a1b8-735b0c2aba05',
    account_id: 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001',
    user_id: '4b586c03-b0b3-4151-94a4-cdb187912177',
    client_key: FIRST_PARTNER.client_key,
    client_secret: FIRST_PARTNER.client_secret,
  },
  {
    id: '8d1f6a90-5b1e-4c55-8a37-6f2f4f0e9b02',
    account_id: 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7002',
    user_id: '9e0f7ba1-6c2f-4d66-9b48-7a3a5a1f0c13',
    client_key: 'other',
    client_secret: 'secret',
  },
] as const

export const USERS = [
  {
    partner_id: PARTNERS[0].id,
    id: '25fd6010-0b86-417f-96a3-7c5e37646c16',
    email: 'fulano@example.com',
    nickname: 'Fulano',
    phone_number: '+5561900000001',
    tax_id: FULANO.tax_id,
    username: 'fulano',
    customer: {
      id: '399e8188-1b06-4083-9229-9cdafae0c748',
      account_id: 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e',
      provider_id: 'prov-0001',
    },
  },
  {
    partner_id: PARTNERS[1].id,
    id: '36ae7121-1c97-4280-87b4-8d6f48757d27',
    email: 'beltrana@example.com',
    nickname: 'Beltrana',
    phone_number: '+5561900000002',
    tax_id: BELTRANA.tax_id,
    username: 'beltrana',
    customer: {
      id: '4aaf9299-2c17-4194-a33a-ad0bbf1d1859',
      account_id: 'b5d37abf-8c85-4b8f-b6f1-9a3a28b2b98f',
      provider_id: 'prov-0002',
    },
  },
] as const

const LOJA_HERE = PARTNERS[0].account_id
const PADARIA_HERE = PARTNERS[1].account_id
const FULANO_HERE = USERS[0].customer.account_id
const BELTRANA_HERE = USERS[1].customer.account_id
const WORLD = { ...PADARIA, name: 'Outras instituições', trade_name: '' }
const REJECTION_CODES = Object.keys(REJECTIONS) as Rejection[]

/** Accounts at this institution and others. The opening balances come from the first. */
export const ACCOUNTS: readonly SeededAccount[] = [
  { ...ELSEWHERE, ...WORLD, id: OUTSIDE, number: '1', type: 'CACC' },
  { ...HERE, ...LOJA, id: LOJA_HERE, number: '7000001', type: 'CACC', opening: 100_000_00n },
  { ...HERE, ...FULANO, id: FULANO_HERE, number: '1234567', type: 'TRAN', opening: 20_000_00n },
  { ...HERE, ...PADARIA, id: PADARIA_HERE, number: '7000002', type: 'CACC', opening: 100_000_00n },
  { ...HERE, ...BELTRANA, id: BELTRANA_HERE, number: '7654322', type: 'TRAN', opening: 20_000_00n },
  { ...ELSEWHERE, ...BELTRANA, id: PAYER_OUTSIDE, number: '2345678', type: 'TRAN' },
  { ...ELSEWHERE, ...PADARIA, id: 'outside/padaria', number: '7654321', type: 'CACC' },
  ...REJECTION_CODES.map((code, i) => ({
    ...ELSEWHERE,
    ...WORLD,
    id: `${REJECTING}${code}`,
    name: `Recusa ${code}`,
    number: String(9_000_000 + i),
    type: 'CACC' as const,
  })),
]

interface SeededKey {
  readonly account_id: string
  readonly dict_key: string
  readonly id: string
}

/**
 * The keys of these accounts. The last ones reject every payment, for the reason that they name.
 */
export const KEYS: readonly SeededKey[] = [
  {
    account_id: LOJA_HERE,
    dict_key: LOJA.tax_id,
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0001',
  },
  {
    account_id: LOJA_HERE,
    dict_key: '+5561912345678',
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0002',
  },
  {
    account_id: FULANO_HERE,
    dict_key: FULANO.tax_id,
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0003',
  },
  {
    account_id: FULANO_HERE,
    dict_key: 'fulano@example.com',
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0004',
  },
  {
    account_id: PADARIA_HERE,
    dict_key: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0005',
  },
  {
    account_id: BELTRANA_HERE,
    dict_key: '+5561900000002',
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0006',
  },
  {
    account_id: PAYER_OUTSIDE,
    dict_key: 'beltrana@example.com',
    id: 'b29893b7-ec17-44d6-8eaa-4cf4eabf8017',
  },
  {
    account_id: PAYER_OUTSIDE,
    dict_key: BELTRANA.tax_id,
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0007',
  },
  {
    account_id: 'outside/padaria',
    dict_key: PADARIA.tax_id,
    id: 'd5dbc024-d916-4e68-b0c5-09fea992e5d7',
  },
  {
    account_id: 'outside/padaria',
    dict_key: '123e4567-e12b-12d1-a456-426655440000',
    id: '0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0a0008',
  },
  ...REJECTION_CODES.map((code, i) => ({
    account_id: `${REJECTING}${code}`,
    dict_key: magicKey(code),
    id: `0f0ae7f4-5f5f-4cb2-9f5b-5b3f0e0b${String(i).padStart(4, '0')}`,
  })),
]
