/** Where each client keeps a user's servers, by platform, as its documentation says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLIENT_TABLE, CLIENTS, type Machine } from '../../../src/questions/mcp/clients.js';

const MACHINES: Record<string, Machine> = {
  linux: { home: '/home/a', env: {}, platform: 'linux' },
  macOS: { home: '/Users/a', env: { XDG_CONFIG_HOME: '/x' }, platform: 'darwin' },
  windows: { home: 'C:/Users/a', env: { APPDATA: 'C:/Users/a/AppData/Roaming' }, platform: 'win32' },
};

const CLINE = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

const FILES: Record<string, Record<string, string[]>> = {
  linux: {
    'claude-desktop': ['/home/a/.config/Claude/claude_desktop_config.json'],
    windsurf: ['/home/a/.codeium/windsurf/mcp_config.json'],
    zed: ['/home/a/.config/zed/settings.json'],
    cline: ['/home/a/.cline/data/settings/cline_mcp_settings.json', `/home/a/.config/Code/User/${CLINE}`],
    copilot: ['/home/a/.copilot/mcp-config.json'],
    jetbrains: ['/home/a/.junie/mcp/mcp.json'],
    vscode: ['/home/a/.config/Code/User/mcp.json'],
  },
  macOS: {
    'claude-desktop': ['/Users/a/Library/Application Support/Claude/claude_desktop_config.json'],
    windsurf: ['/Users/a/.codeium/windsurf/mcp_config.json'],
    zed: ['/Users/a/.config/zed/settings.json'],
    cline: [
      '/Users/a/.cline/data/settings/cline_mcp_settings.json',
      `/Users/a/Library/Application Support/Code/User/${CLINE}`,
    ],
    copilot: ['/Users/a/.copilot/mcp-config.json'],
    jetbrains: ['/Users/a/.junie/mcp/mcp.json'],
    vscode: ['/Users/a/Library/Application Support/Code/User/mcp.json'],
  },
  windows: {
    'claude-desktop': ['C:/Users/a/AppData/Roaming/Claude/claude_desktop_config.json'],
    windsurf: ['C:/Users/a/.codeium/windsurf/mcp_config.json'],
    zed: ['C:/Users/a/AppData/Roaming/Zed/settings.json'],
    cline: ['C:/Users/a/.cline/data/settings/cline_mcp_settings.json', `C:/Users/a/AppData/Roaming/Code/User/${CLINE}`],
    copilot: ['C:/Users/a/.copilot/mcp-config.json'],
    jetbrains: ['C:/Users/a/.junie/mcp/mcp.json'],
    vscode: ['C:/Users/a/AppData/Roaming/Code/User/mcp.json'],
  },
};

test('files of a user on Linux, macOS and Windows', () => {
  for (const [name, machine] of Object.entries(MACHINES)) {
    const clients = CLIENTS.filter((client) => client in FILES[name]);
    const files = clients.map((client) => [client, CLIENT_TABLE[client].user(machine)]);
    assert.deepEqual(Object.fromEntries(files), FILES[name], name);
  }
});

test('variables that move a folder are followed', () => {
  const env = { XDG_CONFIG_HOME: '/x', COPILOT_HOME: '/c', CLINE_DIR: '/l' };
  const machine: Machine = { home: '/home/a', env, platform: 'linux' };
  const file = (client: keyof typeof CLIENT_TABLE) => CLIENT_TABLE[client].user(machine)?.[0];
  assert.equal(file('zed'), '/x/zed/settings.json');
  assert.equal(file('claude-desktop'), '/x/Claude/claude_desktop_config.json');
  assert.equal(file('copilot'), '/c/mcp-config.json');
  assert.equal(file('cline'), '/l/data/settings/cline_mcp_settings.json');
});
