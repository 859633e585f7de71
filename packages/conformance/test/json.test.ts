import { describe, expect, it } from 'vitest'
import { parsedJson, repeatsAnyField } from '../src/contract/json.ts'
import { parseYaml } from '../src/contract/yaml.ts'

describe('reading JSON', () => {
  it('refuses what is nested more than 200 levels deep', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(parsedJson(nested(200))).toBeDefined()
    expect(parsedJson(nested(201))).toBeUndefined()
  })

  it('takes brackets in a string for text', () => {
    const text = `"${'['.repeat(500)}\\"${'{'.repeat(500)}"`
    expect(parsedJson(`[${text}]`)).toEqual([JSON.parse(text)])
  })

  it.each([
    { text: '{"a": 1, "a": 2}', repeats: true },
    { text: '{"a" \n: 1, "b": {"c": 1, "c": 2}}', repeats: true },
    { text: '{"a": 1, "b": {"a": 1}}', repeats: false },
    { text: '{"a": "b\\":", "c": ["d", "d"]}', repeats: false },
    { text: '{"a": 1, "a": 2', repeats: false },
  ])('knows whether $text has a field twice', ({ text, repeats }) => {
    expect(repeatsAnyField(text)).toBe(repeats)
  })

  it('reads a string that never ends once', () => {
    const open = `{"a": "${'\\"'.repeat(1_000_000)}`
    expect(parsedJson(open)).toBeUndefined()
    expect(repeatsAnyField(open)).toBe(false)
  })
})

describe('reading a file of YAML', () => {
  it('reads JSON with many names, and refuses what is too deep, in a moment', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `"n${i}": ${i}`)
    const start = process.cpuUsage()
    expect(parseYaml(`{${names.join()}}`)).toMatchObject({ value: { n0: 0 } })
    expect(parseYaml('['.repeat(1_000_000))).toEqual({ problem: 'it is nested too deeply' })
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
  })
})
