import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolderReader } from '../../src/har/attachments.ts'
import { checkHar } from '../../src/har.ts'
import { NOTHING_UNKNOWN } from '../../src/report/result.ts'
import { BASE, changed, type HarEntry, har, lookUp, pay, signIn } from './session.ts'

describe('bodies in files beside the recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'har-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** The recording of Playwright with `content: 'attach'`, which is that of a zip. */
  function attached(name: string): HarEntry {
    return changed(lookUp(), ({ request, response }) => {
      writeFileSync(join(folder, 'sent.json'), String(request.postData?.text))
      writeFileSync(join(folder, 'shown.json'), String(response?.content.text))
      request.postData = { mimeType: 'application/json', text: '', _file: 'sent.json' }
      if (response) response.content = { size: 300, mimeType: 'application/json', _file: name }
    })
  }

  it('are read if the folder is named', () => {
    const { findings, requests, unknown } = checkHar(
      har([signIn(), attached('shown.json'), pay()]),
      {
        baseUrl: BASE,
        folder,
      },
    )
    expect(findings).toEqual([])
    expect(unknown).toEqual(NOTHING_UNKNOWN)
    expect(requests).toBe(3)
  })

  it('are unknown if it is not', () => {
    const { findings, unknown, withoutBody } = checkHar(
      har([signIn(), attached('shown.json'), pay()]),
      { baseUrl: BASE },
    )
    expect(findings).toEqual([])
    expect(unknown).toMatchObject({ requestBodies: 1, responseBodies: 1 })
    expect(withoutBody).toBe(1)
  })

  it('are not read again and again', () => {
    writeFileSync(join(folder, 'large.json'), 'x'.repeat(3_000_000))
    writeFileSync(join(folder, 'other.json'), '{}')
    const readFile = createFolderReader(folder)
    const reads = Array.from({ length: 50 }, () => readFile('large.json'))
    expect(reads.filter((bytes) => bytes !== undefined)).toHaveLength(4)
    expect(readFile('other.json')).toBeDefined()
  })

  it.each([
    { title: 'are not read above the folder', name: '../outside.json' },
    { title: 'are not read by their whole path', name: join(tmpdir(), 'outside.json') },
    { title: 'are not read through a link that leads outside', name: 'link.json' },
    { title: 'may be missing', name: 'nothing.json' },
    { title: 'are no folders', name: '.' },
  ])('$title', ({ name }) => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    writeFileSync(join(outside, 'outside.json'), '{"other":1}')
    if (name === 'link.json') symlinkSync(join(outside, 'outside.json'), join(folder, name))
    const { findings, unknown } = checkHar(har([signIn(), attached(name)]), {
      baseUrl: BASE,
      folder,
    })
    rmSync(outside, { recursive: true })
    expect(findings).toEqual([])
    expect(unknown.responseBodies).toBe(1)
  })
})
