#!/bin/sh
# Runs after the package was removed, and after an upgrade (deb: "upgrade", rpm: 1).
set -e
case "$1" in upgrade | 1) exit 0 ;; esac
rm -f /usr/bin/${executable} /usr/bin/tillbridge-agent
if [ -f /etc/apparmor.d/${executable} ]; then
  apparmor_parser --remove /etc/apparmor.d/${executable} 2>/dev/null || true
  rm -f /etc/apparmor.d/${executable}
fi
update-desktop-database /usr/share/applications 2>/dev/null || true
echo 'Tillbridge is removed. Each data folder stays, with every sale that waits to be sent:'
echo '  of a user:       ~/.local/share/tillbridge'
echo '  of the service:  /var/lib/tillbridge'
echo 'Install Tillbridge again, and they are sent.'
