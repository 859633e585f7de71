import { expect, it } from 'vitest'
import { reloadAll } from '../reload.ts'

it('reloads every part in order, though an earlier one fails, and says which', async () => {
  const reloaded: string[] = []
  const failures = await reloadAll([
    { name: 'mock', reload: async () => reloaded.push('mock') },
    {
      name: 'sandbox',
      reload() {
        throw new Error('no such state')
      },
    },
    { name: 'site', reload: async () => Promise.reject(new Error('no such page')) },
    { name: 'rest', reload: () => reloaded.push('rest') },
  ])
  expect(reloaded).toEqual(['mock', 'rest'])
  expect(failures).toEqual([
    'The sandbox stays as it was: no such state',
    'The site stays as it was: no such page',
  ])
})
