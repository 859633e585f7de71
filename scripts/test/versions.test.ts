import { expect, it } from 'vitest'
import { withRelease, withTarballNames } from '../versions.ts'

it('releases the unreleased changes', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- Old.\n'
  const released = '# Changelog\n\n## 0.2.0\n\n- New.\n\n## 0.1.0\n\n- Old.\n'
  expect(withRelease(changelog, '0.2.0')).toBe(released)
  expect(() => withRelease(released, '0.3.0')).toThrow('nothing to release')
})

it('puts the changes of the contract first, one heading below those of the version', () => {
  const contract = '### Breaking\n\n#### `checkKey`\n\n- response 200: removed\n'
  expect(withRelease('## Unreleased\n\n### client\n', '0.2.0', contract)).toBe(`## 0.2.0

### the contract, for clients

#### Breaking

##### \`checkKey\`

- response 200: removed

### client
`)
})

it('writes the version into the names of tarballs and the tag of the action', () => {
  const page = 'npx ./partner-payments-cli-0.1.0.tgz, uses: OWNER/REPOSITORY@v0.1.0, Node 24.18.0'
  expect(withTarballNames(page, '0.2.0')).toBe(page.replaceAll('0.1.0', '0.2.0'))
})
