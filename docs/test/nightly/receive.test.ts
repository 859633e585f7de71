import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeReceiver, receiverFile } from '../receive.ts'

const folder = mkdtempSync(join(tmpdir(), 'receivers-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hasGo = isInstalled('go', 'version')
const goProgram = join(folder, 'receive')
// `go run` would leave the program behind when it ends.
if (hasGo) execFileSync('go', ['build', '-o', goProgram, receiverFile('receive.go')])

describeReceiver({
  language: 'Go',
  command: [goProgram],
  isInstalled: hasGo,
  limitsBody: true,
  limitsTime: true,
})
describeReceiver({
  language: 'Java',
  command: ['java', receiverFile('Receive.java')],
  isInstalled: isInstalled('java', '-version'),
  limitsBody: true,
  limitsTime: true,
})
describeReceiver({
  language: 'PHP',
  command: ['php', '-S', '127.0.0.1:', receiverFile('receive.php')],
  isInstalled: isInstalled('php', '--version'),
  limitsBody: true,
})

function isInstalled(program: string, flag: string): boolean {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
