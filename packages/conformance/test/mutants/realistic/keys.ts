import type { Mutants } from '../mutant.ts'
import { cached } from '../tools.ts'

export const keys: Mutants = {
  'key-cnpj-digits-only': {
    describe: 'A CNPJ with letters is refused as no key.',
    operation: 'checkKey',
    refuse: [({ dict_key }) => /^(?=.*[A-Z])[\dA-Z]{12}\d\d$/.test(String(dict_key)), [422, 'invalid_key']],
  },
  'key-of-77-characters-refused': {
    describe: 'A key of 77 characters is refused: the limit is off by one.',
    operation: 'checkKey',
    refuse: [({ dict_key }) => String(dict_key).length === 77, [400, 'invalid_request']],
  },
  'key-initiation-cached': {
    describe: 'Two lookups of one key within five minutes get the same initiation_id, which pays once.',
    operation: 'checkKey',
    also: ['createTransfer'],
    service: cached(300, ({ operation, json, headers }) =>
      operation === 'checkKey' ? `${headers.get('authorization')} ${json?.dict_key}` : undefined,
    ),
  },
}
