#!/bin/sh
# Runs after the package was removed (deb: "remove", rpm: 0), and after much else.
set -e
case "$1" in remove | 0) ;; *) exit 0 ;; esac
# A service without its program would be started for ever.
if [ -f /etc/systemd/system/tillbridge.service ]; then
  [ ! -d /run/systemd/system ] || systemctl disable --quiet --now tillbridge.service || true
  rm -f /etc/systemd/system/tillbridge.service /etc/systemd/system/multi-user.target.wants/tillbridge.service
  [ ! -d /run/systemd/system ] || systemctl daemon-reload || true
fi
rm -f /usr/bin/${executable} /usr/bin/tillbridge-agent /usr/share/polkit-1/actions/org.tillbridge.install.policy
# Packages alone: what was kept to go back to.
rm -rf /var/lib/tillbridge-packages
if [ -f /etc/apparmor.d/${executable} ]; then
  apparmor_parser --remove /etc/apparmor.d/${executable} 2>/dev/null || true
  rm -f /etc/apparmor.d/${executable}
fi
update-desktop-database /usr/share/applications 2>/dev/null || true
echo 'Tillbridge is removed. Each data folder (of a user: ~/.local/share/tillbridge, of the service: /var/lib/tillbridge) stays, with every sale that waits.'
echo 'Install Tillbridge again, and they are sent.'
