import { KEYS } from '../../faulty/fixtures.ts'
import { bodyOf, withJson } from '../../faulty/responses.ts'
import type { Mutants } from '../mutant.ts'
import { cached, remembering, rowOf } from '../tools.ts'
import { LOOK_UP } from './orders.ts'

export const keys: Mutants = {
  'key-cnpj-digits-only': {
    describe: 'A CNPJ with letters is refused as no key.',
    operation: 'checkKey',
    expects: 'checkKey refuses a CNPJ of 14 characters with letters.',
    refuse: [({ dict_key }) => /^(?=.*[A-Z])[\dA-Z]{12}\d\d$/.test(String(dict_key)), [422, 'invalid_key']],
  },
  'key-email-with-plus-refused': {
    describe: 'An e-mail with a plus sign is refused as no key.',
    operation: 'checkKey',
    expects: 'checkKey responds 422 instead of 404 to loja+pix@example.com.',
    refuse: [({ dict_key }) => /^[^@]+\+[^@]*@/.test(String(dict_key)), [422, 'invalid_key']],
    shows: async ({ partner }) => (await partner(LOOK_UP, { dict_key: 'loja+pix@example.com' })).status,
  },
  'key-of-77-characters-refused': {
    describe: 'A key of 77 characters is refused: the limit is off by one.',
    operation: 'checkKey',
    expects: 'checkKey refuses a key of 77 characters as too long (maxLength of dict_key).',
    refuse: [({ dict_key }) => String(dict_key).length === 77, [400, 'invalid_request']],
  },
  'key-cpf-unmasked': {
    describe: 'Whoever looks a CPF up sees the document of its owner whole, since they know it anyway.',
    operation: 'checkKey',
    expects: 'owner_document of checkKey is not masked when the key is a CPF.',
    success: (body) => (body.dict_key_type === 'CPF' ? { ...body, owner_document: body.dict_key } : body),
    shows: async ({ partner }) => (await partner(LOOK_UP, { dict_key: '11144477735' })).body.owner_document,
  },
  'key-cpf-is-a-telephone': {
    describe: 'A key of eleven digits whose third is a 9 is taken for a telephone number.',
    operation: 'checkKey',
    expects: 'dict_key_type of checkKey is PHONE for a key that is a CPF.',
    success: (body) =>
      /^\d\d[1-9]\d{8}$/.test(String(body.dict_key)) ? { ...body, dict_key_type: 'PHONE' } : body,
    shows: async ({ partner }) => (await partner(LOOK_UP, { dict_key: '11144477735' })).body.dict_key_type,
  },
  'key-initiation-cached': {
    describe: 'Two lookups of one key within five minutes get the same initiation_id, which pays once.',
    operation: 'checkKey',
    also: ['createTransfer'],
    expects: 'initiation_id of two lookups is the same; the second transfer is refused as initiation_used.',
    service: cached(300, ({ operation, json, headers }) =>
      operation === 'checkKey' ? `${headers.get('authorization')} ${json?.dict_key}` : undefined,
    ),
  },
  'key-trade-name-of-the-one-before': {
    describe:
      'An owner without a trade name is shown with that of the look-up before: one object is used for all.',
    operation: 'checkKey',
    expects: 'owner_trade_name of checkKey is that of another owner.',
    service: remembering(
      () => ({ name: '' }),
      async (last, call, next) => {
        const response = await next(call)
        const body = call.operation === 'checkKey' && response.ok ? await bodyOf(response) : undefined
        if (!body) return response
        last.name = String(body.owner_trade_name || last.name)
        return withJson(response, { ...body, owner_trade_name: last.name })
      },
    ),
    shows: async ({ partner }) => {
      await partner(LOOK_UP, { dict_key: KEYS.padaria })
      return (await partner(LOOK_UP, { dict_key: KEYS.beltrana })).body.owner_trade_name
    },
  },
  'key-branch-without-zeros': {
    describe: 'The branch loses its zeros at the front: "1" instead of "0001".',
    operation: 'checkKey',
    also: ['createTransfer'],
    expects:
      'branch of checkKey differs from that of checkCode; a transfer with it is refused as beneficiary_mismatch.',
    success: (body) => ({ ...body, branch: String(Number(body.branch)) }),
    shows: async ({ partner }) => (await partner(LOOK_UP, { dict_key: KEYS.beltrana })).body.branch,
  },
  'key-account-of-the-wrong-owner': {
    describe: 'A company that has two accounts is shown with the number of the other one.',
    operation: 'checkKey',
    also: ['createTransfer'],
    expects:
      'account_number of checkKey differs from that of checkCode for the same key, or a transfer that names it is refused.',
    success: async (body, _, sandbox) => {
      const sql = `SELECT b.number FROM keys k JOIN accounts a ON a.id = k.account_id
        JOIN accounts b ON b.tax_id = a.tax_id AND b.id <> a.id AND b.standing <> 'held'
        WHERE k.dict_key = ? ORDER BY b.number LIMIT 1`
      const row = await rowOf<{ number: string }>(sandbox, sql, [String(body.dict_key)])
      return row ? { ...body, account_number: row.number } : body
    },
    shows: async ({ partner }) => (await partner(LOOK_UP, { dict_key: KEYS.padaria })).body.account_number,
  },
}
