import { hasPython } from './programs.ts'
import { describeReceiver, receiverFile } from './receive.ts'

describeReceiver({
  language: 'JavaScript',
  command: [process.execPath, receiverFile('first.mjs')],
  isInstalled: true,
  limitsBody: false,
})

describeReceiver({
  language: 'Python',
  command: ['python3', receiverFile('receive.py')],
  isInstalled: await hasPython,
  limitsBody: true,
})
