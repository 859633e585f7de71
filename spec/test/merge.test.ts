import { expect, it } from 'vitest'
import { mergeContracts } from '../build/merge.ts'
import { contract, guide, listOperations } from './contract.ts'

it('has the operations of both contracts', () => {
  const ids = listOperations(mergeContracts(contract, guide)).map(({ id }) => id)
  expect(ids).toEqual([...listOperations(contract), ...listOperations(guide)].map(({ id }) => id))
})

it('keeps the rest of the first contract and modifies neither', () => {
  const before = structuredClone([contract, guide])
  const { paths: _, components: __, ...rest } = mergeContracts(contract, guide)
  expect(rest).toMatchObject({ info: contract.info, webhooks: contract.webhooks })
  expect([contract, guide]).toEqual(before)
})

it('refuses different components with the same name', () => {
  const other = { components: { schemas: { KeyCheck: { type: 'string' } } } }
  expect(() => mergeContracts(contract, other)).toThrow('different components/schemas/KeyCheck')
})

it('refuses a path that both contain', () => {
  expect(() => mergeContracts(guide, { paths: { '/pix/key': {} } })).toThrow(
    'different paths//pix/key',
  )
})
