export default {
  extensions: ['ts'],
  files: ['tests/**/*.test.ts'],
  timeout: '5m',
};
