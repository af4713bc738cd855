//! The export line of a plugin.

/// Makes the library that it stands in a motion plugin: `export_motion!(Differential);`, once.
#[macro_export]
macro_rules! export_motion {
    ($plugin:ty) => {
        $crate::__export!($plugin, MotionDoor);
    };
}

/// Makes the library that it stands in a sensor plugin: `export_sensor!(Laser);`, once.
#[macro_export]
macro_rules! export_sensor {
    ($plugin:ty) => {
        $crate::__export!($plugin, SensorDoor);
    };
}

/// Makes the library that it stands in a player plugin: `export_player!(Goalkeeper);`, once.
#[macro_export]
macro_rules! export_player {
    ($plugin:ty) => {
        $crate::__export!($plugin, PlayerDoor);
    };
}

/// Makes the library that it stands in a referee plugin: `export_referee!(F2000);`, once.
#[macro_export]
macro_rules! export_referee {
    ($plugin:ty) => {
        $crate::__export!($plugin, RefereeDoor);
    };
}

/// What `#[abi_stable::export_root_module]` would write, without the plugin's crate having to name `abi_stable`.
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($plugin:ty, $door:ident) => {
        const _: () = {
            use $crate::abi::abi_stable::library as door;
            use $crate::abi::abi_stable::prefix_type::PrefixTypeTrait as _;

            struct ThisCrate;
            impl $crate::abi::PluginCrate for ThisCrate {
                const VERSION: &'static str = ::core::env!("CARGO_PKG_VERSION");
                const UNWINDS: bool = ::core::cfg!(panic = "unwind");
            }

            static TABLE: $crate::abi::Table = $crate::abi::$door::<$plugin, ThisCrate>::TABLE;

            fn root() -> $crate::abi::RootRef {
                $crate::abi::Root { table: &TABLE }.leak_into_prefix()
            }

            extern "C" fn loader() -> door::RootModuleResult {
                door::__call_root_module_loader(root)
            }

            // The name is `abi_stable::library::ROOT_MODULE_LOADER_NAME`.
            #[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
            static HEADER: door::LibHeader = {
                // SAFETY: `loader` gives a `RootRef`.
                unsafe {
                    door::LibHeader::from_constructor::<$crate::abi::RootRef>(
                        loader,
                        door::CheckTypeLayout::Yes,
                    )
                }
            };
        };
    };
}
