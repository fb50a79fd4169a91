package samples

import p "darqline/protocol"

func combat() []Sample {
	const generation = 70001 // of the player 258
	muzzle, end := p.Vec3{X: 2495.25, Y: -1688.5, Z: 14.5}, p.Vec3{X: 2530.75, Y: -1690, Z: 12.125}
	satchels := []p.Vec3{muzzle, end, grove}
	return []Sample{
		{File: "weapon_shot", Packet: &p.WeaponShot{Seq: 4711, Weapon: 31, Hit: p.Ref{Kind: p.RefPlayer, ID: 69990}, Origin: muzzle, End: end}},
		{File: "weapon_shot_ground", Packet: &p.WeaponShot{Seq: 0xFFFFFFFF, Weapon: 38, Hit: p.Ref{Kind: p.RefGround}, Origin: muzzle, End: p.Vec3{X: -20000, Y: 20000, Z: -20000}}},
		{File: "weapon_shot_spray", Packet: &p.WeaponShot{Seq: 12, Weapon: 41, Origin: muzzle, End: end}},
		{File: "remote_weapon_shot", Packet: &p.RemoteWeaponShot{
			PlayerID: 258, PlayerToken: generation, Seq: 4711, Weapon: 25, Hit: p.Ref{Kind: p.RefVehicle, ID: 90210}, Origin: muzzle, End: end,
		}},
		{File: "remote_weapon_shot_miss", Packet: &p.RemoteWeaponShot{PlayerID: 258, PlayerToken: generation, Seq: 4712, Weapon: 34, Origin: muzzle, End: end}},
		{File: "damage_report", Packet: &p.DamageReport{Victim: 69990, Shot: 4711, Cause: 25, BodyPart: p.PartHead, Pellets: 15}},
		{File: "damage_report_melee", Packet: &p.DamageReport{Victim: 69990, Cause: p.Cause(p.WeaponKnife), BodyPart: p.PartLeftLeg, Amount: 30}},
		{File: "damage_report_vehicle_gun", Packet: &p.DamageReport{
			Victim: 69990, Source: p.Ref{Kind: p.RefVehicle, ID: 90210}, Cause: p.CauseVehicleGun, BodyPart: p.PartGroin, Pellets: 3,
		}},
		{File: "damage_report_victim", Packet: &p.DamageReport{
			Victim: generation, Source: p.Ref{Kind: p.RefProjectile, ID: 90333}, Cause: p.CauseExplosion, BodyPart: p.PartTorso, Vitals: 300, Amount: 999.5,
		}},
		{File: "lethal_damage_report", Packet: &p.LethalDamageReport{Source: p.Ref{Kind: p.RefFire, ID: 90444}, Cause: p.CauseFire, Vitals: 300, Amount: 49.5}},
		{File: "lethal_damage_report_fall", Packet: &p.LethalDamageReport{Cause: p.CauseFall, Vitals: 65535, Amount: p.MaxDamage}},
		{File: "damage_multipliers", Packet: &p.DamageMultipliers{Classes: [8]float32{1, 0.5, 2, 0.25, 4, 100, 8, 0}, Parts: [7]float32{1, 1.5, 0.75, 0.5, 0.25, 3, 100}}},
		{File: "give_weapon", Packet: &p.GiveWeapon{Weapon: 31, Ammo: p.MaxAmmo, Arm: true}},
		{File: "give_weapon_melee", Packet: &p.GiveWeapon{Weapon: 8, Ammo: 1, Arm: true}},
		{File: "take_weapon", Packet: &p.TakeWeapon{Weapon: 46}},
		{File: "set_weapon_ammo", Packet: &p.SetWeaponAmmo{Weapon: 31, Ammo: 500, Clip: 50, Shot: 4711}},
		{File: "set_weapon_ammo_leave", Packet: &p.SetWeaponAmmo{Weapon: 16, Ammo: 2, Clip: p.ClipLeave, Shot: 4712}},
		{File: "clear_weapons", Packet: &p.ClearWeapons{}},
		{File: "set_armed_weapon", Packet: &p.SetArmedWeapon{Weapon: 22}},
		{File: "give_health", Packet: &p.GiveHealth{Vitals: 301, Amount: 25.5, Health: 100}},
		{File: "give_armor", Packet: &p.GiveArmor{Vitals: 302, Amount: 100, Armor: 99.5}},
		{File: "set_health", Packet: &p.SetHealth{Vitals: 303, Health: 0.5, Cause: 24, BodyPart: p.PartHead, AttackerID: 3, AttackerToken: 69990}},
		{File: "set_health_script", Packet: &p.SetHealth{Vitals: 65535, Health: 100, Cause: p.CauseScript, BodyPart: p.PartTorso, AttackerID: p.NoPlayer}},
		{File: "set_armor", Packet: &p.SetArmor{Vitals: 304, Armor: 12.25, Cause: p.CauseRammed, BodyPart: p.PartTorso, AttackerID: 3, AttackerToken: 69990}},
		{File: "set_armor_gone", Packet: &p.SetArmor{Vitals: 305, Cause: p.CausePistolWhip, BodyPart: p.PartRightArm, AttackerID: p.NoPlayer}},
		{File: "projectile_create", Packet: &p.ProjectileCreate{
			Weapon: p.WeaponHeatSeeker, Target: p.Ref{Kind: p.RefVehicle, ID: 90210}, Origin: muzzle, Velocity: p.Vec3{X: 120.5, Y: -12.25, Z: 3},
		}},
		{File: "projectile_create_grenade", Packet: &p.ProjectileCreate{Weapon: 16, Origin: muzzle, Velocity: p.Vec3{X: 12.5, Y: -6, Z: 8.25}}},
		{File: "remote_projectile_create", Packet: &p.RemoteProjectileCreate{
			PlayerID: 258, PlayerToken: generation, ProjectileID: 90333, Weapon: p.WeaponHeatSeeker, Target: p.Ref{Kind: p.RefPlayer, ID: 69990},
			Origin: muzzle, Velocity: p.Vec3{X: 120.5, Y: -12.25, Z: 3}, Age: 120,
		}},
		{File: "remote_projectile_create_satchel", Packet: &p.RemoteProjectileCreate{
			PlayerID: 258, PlayerToken: generation, ProjectileID: 90334, Weapon: p.WeaponSatchel, Origin: muzzle, Velocity: p.Vec3{X: 12.5, Y: -6, Z: 8.25}, Age: 600_000,
		}},
		{File: "satchel_detonate", Packet: &p.SatchelDetonate{Positions: satchels}},
		{File: "satchel_detonate_full", Packet: &p.SatchelDetonate{Positions: []p.Vec3{muzzle, end, grove, muzzle, end, grove, muzzle, end}}},
		{File: "remote_satchel_detonate", Packet: &p.RemoteSatchelDetonate{PlayerID: 258, PlayerToken: generation, Positions: satchels}},
		{File: "detonate_satchels", Packet: &p.DetonateSatchels{}},
		{File: "destroy_satchels", Packet: &p.DestroySatchels{PlayerID: 258, PlayerToken: generation}},
		{File: "stealth_kill_request", Packet: &p.StealthKillRequest{Victim: 69990}},
		{File: "remote_stealth_kill", Packet: &p.RemoteStealthKill{AttackerID: 258, AttackerToken: generation, VictimID: 3, VictimToken: 69990}},
		{File: "drive_by_intervals", Packet: p.DefaultDriveBy()},
		{File: "weapon_properties", Packet: &p.WeaponProperties{
			Weapon: 32, Skill: p.SkillPro, Range: 35.5, TargetRange: 30, Accuracy: 1.25, Damage: 6.5, MoveSpeed: 0.75, Clip: 10000, Interval: 70, Flags: 0x00038001,
		}},
		{File: "weapon_properties_flamethrower", Packet: &p.WeaponProperties{
			Weapon: p.WeaponFlamethrower, Skill: p.SkillStandard, Range: 5.125, TargetRange: 1000, Accuracy: 10, Damage: 1000, MoveSpeed: 10, Clip: 1, Interval: 10000, Flags: 0xFFFFFFFF,
		}},
		{File: "create_explosion", Packet: &p.CreateExplosion{
			Type: p.ExplosionTiny, Flags: p.ExplosionHarmless | p.ExplosionInvisible, CreatorID: 258, CreatorToken: generation, Position: grove, Shake: 1.5,
		}},
		{File: "create_explosion_by_nobody", Packet: &p.CreateExplosion{Type: p.ExplosionCar, Flags: p.ExplosionSilent, CreatorID: p.NoPlayer, Position: grove, Shake: 2}},
		{File: "create_fire", Packet: &p.CreateFire{FireID: 90444, Position: grove, Size: 1.8, Duration: 60_000, Spread: 20, CreatorID: 258, CreatorToken: generation}},
		{File: "create_fire_by_nobody", Packet: &p.CreateFire{FireID: 90445, Position: grove, Size: 0.1, Spread: 1, CreatorID: p.NoPlayer}},
		{File: "extinguish_fire", Packet: &p.ExtinguishFire{FireID: 90444}},
		{File: "extinguish_fire_area", Packet: &p.ExtinguishFire{Position: grove, Radius: 300}},
	}
}
