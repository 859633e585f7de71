import { expect, test } from 'vitest'
import { findNamedFields } from '../src/plans/named-fields.ts'

const BODY = {
  dict_key: 'caixa@example.com',
  message: 'Pedido 1',
  amount: { original: '1.00', fine: { amount: '2.00', modality: '2' } },
  additional_infos: [{ name: 'Pedido', value: '1' }],
}

test.each([
  [{ errors: [{ at: '/amount/fine/modality', text: 'one of value' }] }, ['/amount/fine/modality']],
  [{ errors: [{ pointer: '#/amount/original' }] }, ['/amount/original']],
  [{ error: 'amount.fine.modality must be value' }, ['/amount/fine/modality']],
  [{ message: 'additional_infos[0].name is too long.' }, ['/additional_infos/0/name']],
  [{ field: 'original' }, ['/amount/original']],
  [{ detail: 'The dict_key is not yours.' }, ['/dict_key']],
  [{ loc: ['body', 'amount', 'original'] }, ['/amount/original']],
  [{ errors: [{ at: '/amount/fine/days' }] }, ['/amount/fine/days']],
  // Words of prose, another service's places, and nothing at all.
  [{ detail: 'This amount and message are refused.' }, []],
  [{ type: 'https://example.com/problems/invalid', instance: '/problems/1' }, []],
  [{ code: 'forbidden' }, []],
  [undefined, []],
])('it finds the fields of a request that a refusal names: %j', (refusal, fields) => {
  expect(findNamedFields(BODY, refusal)).toEqual(fields)
})
