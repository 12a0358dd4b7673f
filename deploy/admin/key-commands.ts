import type { Command } from './command.ts';

export const keyCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    summary: 'Sign with the next key from now on, and publish a new next one',
    options: {
      now: {
        description:
          'also within five minutes of the last rotation: ' +
          'verifiers that cached the keys refuse new tokens until then',
      },
    },
    example: 'keys rotate',
    exampleAnswer: '{"currentKeyId":"WbK0…","nextKeyId":"p3Xn…","retiredKeyId":"9mQs…"}',
    async run(values, instance) {
      const { rotateSigningKeys } = await import('#auth-server/admin/key-admin.ts');
      return rotateSigningKeys(instance.databaseUrl, instance.keyEncryptionSecret(), values.has('now'));
    },
  },
  {
    name: 'keys replace',
    summary:
      'Make new signing keys for a new KEY_ENCRYPTION_SECRET, ' +
      'without opening those there are; ends push subscriptions',
    options: {},
    example: 'keys replace',
    exampleAnswer: '{"currentKeyId":"b7Lc…","nextKeyId":"Zk2e…","retiredKeyIds":["9mQs…","WbK0…"]}',
    async run(_values, instance) {
      const { replaceSigningKeys } = await import('#auth-server/admin/key-admin.ts');
      return replaceSigningKeys(instance.databaseUrl, instance.keyEncryptionSecret());
    },
  },
];
